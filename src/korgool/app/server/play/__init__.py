"""Live games: sessions loaded, resumed and unloaded; what goes over the wire; their pages and API."""
