"""Limits of sessions and addresses: as data, counted with injected time, and fair queues.

This package knows nothing of networks, databases or the web; `korgool.app.server` asks it and refuses requests.
"""

from __future__ import annotations

from korgool.app.server.limits.caller import Caller, address_key, parse_network
from korgool.app.server.limits.fair_queue import FairQueue
from korgool.app.server.limits.rate_limiter import RateLimiter
from korgool.app.server.limits.service_limits import OFF, LimitsError, ServiceLimits, read_limits
from korgool.app.server.limits.token_bucket import Rate

__all__ = [
    "OFF",
    "Caller",
    "FairQueue",
    "LimitsError",
    "Rate",
    "RateLimiter",
    "ServiceLimits",
    "address_key",
    "parse_network",
    "read_limits",
]
