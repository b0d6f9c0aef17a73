"""Commands for settings, contexts, migrations and shells."""
