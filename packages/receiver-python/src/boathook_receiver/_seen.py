"""Remembers which deliveries were handled, so a duplicate is answered and not handled again (spec 5.1: replay).

::

    (unknown) → claim → busy → complete → done → (unknown), after its time to live
                         ├───→ release  → (unknown)
                         └───→ (unknown), when the lease ends
"""

from __future__ import annotations

import time
from threading import Lock
from typing import Callable, Dict, Literal, Protocol, Tuple

Claim = Literal["claimed", "busy", "done"]

#: Four days. Retries take nine hours at most, and a delivery of an inactive endpoint waits up to three days before
#: its next attempt.
SEEN_SECONDS = 96 * 3600

SEEN_ENTRIES_MAX = 100_000


class SeenStore(Protocol):
    def claim(self, delivery_id: str, lease_seconds: float) -> Claim:
        """One atomic step: ``claimed`` makes the id busy for the lease; ``busy`` and ``done`` change nothing."""

    def complete(self, delivery_id: str) -> None:
        """The delivery was handled: remember its id for ``SEEN_SECONDS``."""

    def release(self, delivery_id: str) -> None:
        """The delivery was not handled: forget its id, so the retry is handled."""


class MemorySeen:
    """A store in this process's memory: bounded, shared by its threads, and gone with the process."""

    def __init__(
        self,
        entries_max: int = SEEN_ENTRIES_MAX,
        seconds: float = SEEN_SECONDS,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._entries_max = entries_max
        self._seconds = seconds
        self._monotonic = monotonic
        self._lock = Lock()
        # A dict keeps the order of insertion, so the first entry is the oldest.
        self._entries: Dict[str, Tuple[Claim, float]] = {}

    def claim(self, delivery_id: str, lease_seconds: float) -> Claim:
        with self._lock:
            state, ends_at = self._entries.get(delivery_id, ("claimed", 0.0))
            if state != "claimed" and ends_at > self._monotonic():
                return state
            self._put(delivery_id, "busy", lease_seconds)
            return "claimed"

    def complete(self, delivery_id: str) -> None:
        with self._lock:
            self._put(delivery_id, "done", self._seconds)

    def release(self, delivery_id: str) -> None:
        with self._lock:
            self._entries.pop(delivery_id, None)

    def _put(self, delivery_id: str, state: Claim, seconds: float) -> None:
        now = self._monotonic()
        self._entries.pop(delivery_id, None)
        while self._entries:
            oldest = next(iter(self._entries))
            if self._entries[oldest][1] > now and len(self._entries) < self._entries_max:
                break
            del self._entries[oldest]
        self._entries[delivery_id] = (state, now + seconds)
