"""Pages and JSON over HTTP and sockets: handlers, templates with their board, files, sessions, checks of the origin."""
