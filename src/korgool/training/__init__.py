"""Training: puzzles with their themes and proofs, lessons and drills, as values without network, database or clock.

What is right on a board is never written down: it follows from the rules.
"""
