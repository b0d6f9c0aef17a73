"""Signing in at an OpenID Connect provider: code flow with PKCE, state and nonce."""
