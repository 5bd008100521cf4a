"""The parts of Korgool that are installed by name, and the packages that each of them brings."""

from __future__ import annotations

PARTS: dict[str, tuple[str, ...]] = {
    "serve": (
        *("litestar", "jinja2", "markupsafe", "uvicorn", "h11", "websockets", "sqlalchemy", "alembic", "argon2"),
        *("webauthn", "PIL", "fsrs"),
    ),
    "event": ("gacrux", "openpyxl"),
    "print": ("typst", "segno", "babel", "resvg_py"),
    "push": ("cryptography",),
    "queue": ("procrastinate", "psycopg"),
    "nats": ("nats",),
    "metrics": ("prometheus_client",),
    "train": ("torch", "numpy"),
    "rl": ("numpy",),
    "cluster": ("distributed",),
}
"""Modules by the extra that brings them. `serve` brings babel, resvg_py and segno too, which the server needs too."""


def advice(error: ImportError) -> str:
    """Advice how to install a missing part, in one line; for other errors, the error's own message."""
    module = (error.name or "").partition(".")[0]
    for part, modules in PARTS.items():
        if module in modules:
            from korgool import installing

            typed = installing.advice(part)
            return f'this needs the part "{part}", which is not installed ({module}); type: {typed}'
    return str(error)
