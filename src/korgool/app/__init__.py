"""The user interfaces: the command line, the web server, and printing."""
