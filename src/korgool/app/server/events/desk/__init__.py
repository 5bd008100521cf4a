"""The console of an event: the pages on which its officials work, each a template over the event and a small view."""
