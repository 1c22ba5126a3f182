"""What all exchanges of the process share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from denominator.adapters.gateway.messages import Message
from denominator.adapters.gateway.proxy.answers import Origin
from denominator.adapters.gateway.proxy.bodies import Bodies
from denominator.adapters.gateway.proxy.settings import Settings
from denominator.adapters.gateway.proxy.waiting import Waiting
from denominator.adapters.gateway.upstream import Upstream
from denominator.ports import Clock


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """`say` puts a message on the pair to the runner."""

    settings: Settings
    upstream: Upstream
    origin: Origin
    bodies: Bodies
    waiting: Waiting
    clock: Clock
    say: Callable[[Message], None]
