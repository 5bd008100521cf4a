"""Studies: repository, service, API and pages."""
