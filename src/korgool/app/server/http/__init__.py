"""Requests and responses of all features: principals, rights, forms, templates, static files, the API described."""
