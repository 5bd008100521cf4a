"""Visitors without an account: tokens for programs, and the migration of what they have to an account."""
