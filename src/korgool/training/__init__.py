"""Training: lessons and drills, as values without network, database or clock.

What is right on a board is never written down: it follows from the rules.
"""
