"""Challenges and the lobby: service, API and pages."""
