"""Bringing an event from a file in the browser: what the file holds is shown before anything is made."""
