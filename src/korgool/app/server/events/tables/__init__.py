"""Phones at the tables of an event: players report their results with the codes of their cards."""
