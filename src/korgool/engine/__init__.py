"""Strength: the native kernel, search and its limits, playing levels, and the engine protocol."""
