"""The engine's work as jobs in PostgreSQL, for worker processes anywhere: what a job says, the tables, and asking."""
