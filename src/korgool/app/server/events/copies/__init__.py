"""Copies of events on a memory stick or another folder of the server's machine, after each round."""
