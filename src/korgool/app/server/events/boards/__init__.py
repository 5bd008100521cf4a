"""Live boards: scoresheets that phones at the tables keep, and what the public sees of them, with a delay."""
