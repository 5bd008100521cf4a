"""Vacations of players of slow games: service and API."""
