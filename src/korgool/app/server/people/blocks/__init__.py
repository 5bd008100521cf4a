"""Blocks between players: repository, API and pages."""
