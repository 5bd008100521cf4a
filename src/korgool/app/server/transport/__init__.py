"""The layer in front of the application: limits of time and number for connections, turns of addresses, frame
counts."""
