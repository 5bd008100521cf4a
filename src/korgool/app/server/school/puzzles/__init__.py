"""Puzzles: tasks as a page needs them, and pages."""
