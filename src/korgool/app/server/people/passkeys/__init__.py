"""Passkeys (WebAuthn level 3): ceremonies, repository, API and pages."""
