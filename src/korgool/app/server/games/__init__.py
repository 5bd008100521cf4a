"""Running games: found, resumed and put away; the engine that answers in them; states and events as messages."""
