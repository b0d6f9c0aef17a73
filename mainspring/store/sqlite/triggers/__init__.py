"""Triggers and the ledger of their fires."""
