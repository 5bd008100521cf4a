"""Entry lists from spreadsheets."""
