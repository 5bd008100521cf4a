"""The officials' log: what each action makes of an event, and what may be taken back."""
