"""Pages of what teaches: lessons and drills, puzzles, one's own mistakes."""
