"""The engine's work: searches, perfect play and adjudication off the event loop, here or in worker processes."""
