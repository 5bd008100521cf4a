"""Running games: loading, resuming and unloading them; the engine that plays in them; states and events as messages."""
