"""Environments for learning and for experiments: many games at once, one game in place, and adapters.

>>> from korgool.rl import BatchEnv
>>> env = BatchEnv("toguz", n=2, seed=1)
>>> env.reset().shape
(2, 24)
>>> observations, rewards, terminated, truncated = env.step([6, 2])
>>> env.turn.tolist(), env.plies.tolist()
([1, 1], [1, 1])

`korgool.rl.gymnasium`, `korgool.rl.pettingzoo` and `korgool.rl.openspiel` adapt them. Where Gymnasium is installed, its
names (`korgool/Toguz-v0`) are there as soon as this package is imported.
"""

from contextlib import suppress

try:
    import numpy as _numpy  # noqa: F401
except ImportError as _error:
    from korgool.installing import advice as _advice

    raise ImportError(f"korgool.rl needs NumPy: {_advice('rl')}") from _error

from korgool.rl.batch import BatchEnv
from korgool.rl.state import State

__all__ = ["BatchEnv", "State"]

with suppress(ImportError):
    from korgool.rl.gymnasium import register as _register

    _register()
