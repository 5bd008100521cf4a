"""Notices for people who are away: by web push and by e-mail, both optional and off by default.

Nothing here delays a move: `Notices.your_turn` only puts a notice into a queue of bounded length.
"""
