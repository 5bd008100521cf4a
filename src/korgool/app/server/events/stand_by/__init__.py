"""Second machines of an event: who keeps its log, who leads it, and how one takes over from another."""
