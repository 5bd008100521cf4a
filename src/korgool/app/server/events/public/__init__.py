"""Public pages of events on the server, and the same as JSON and records for programs."""
