"""Values and small services that all rooms of the server share: errors, the wall clock, settings, logs."""
