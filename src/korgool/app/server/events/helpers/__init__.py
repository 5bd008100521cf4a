"""Helpers of events: roles for accounts, and roles by a link or a code."""
