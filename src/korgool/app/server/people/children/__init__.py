"""Children's accounts before their guardians: repository, service, API and pages."""
