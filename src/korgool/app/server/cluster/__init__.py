"""News between the processes of one site."""
