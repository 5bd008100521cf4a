"""Pages of what teaches: lessons and drills, puzzles."""
