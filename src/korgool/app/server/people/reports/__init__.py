"""Reports of players to the operator: repository, API and pages."""
