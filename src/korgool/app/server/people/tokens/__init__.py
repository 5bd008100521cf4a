"""Tokens of an account for programs, and its bots: API and pages."""
