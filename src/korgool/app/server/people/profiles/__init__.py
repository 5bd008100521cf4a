"""Profiles of players: ratings, lists and files of their games, and the names that a reader may see."""
