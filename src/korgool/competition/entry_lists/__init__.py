"""Entry lists from spreadsheets, CSV or XLSX."""
