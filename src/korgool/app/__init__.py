"""What people touch: the command line and the web platform."""
