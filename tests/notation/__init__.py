"""Tests of the notation room."""
