"""Mistakes of one's own games that come back: schedule, repository, service, API and pages."""
