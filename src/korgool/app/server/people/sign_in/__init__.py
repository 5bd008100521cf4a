"""Authentication: sessions, tokens, passwords, device cookies and the attempts to guess them."""
