"""Pairing: short codes shown on the host, and the devices that were let in by one.

A code is six digits, one for the dealer's role and one for players'. It is good once and for ten minutes, and after a
few wrong tries by anybody both are made anew: guessing has a chance of one in two hundred thousand a round of tries.
A device gets a token of 256 random bits; of it only a hash is kept.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import os
import secrets
import tempfile
import threading
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final

from advisor.service.limits import Limiter, Rate
from advisor.service.wire import Role

log = logging.getLogger(__name__)
DIGITS: Final = 6
GOOD_FOR: Final = 600.0
"""Seconds that a code is good for."""
WRONG_TRIES: Final = 5
"""Wrong tries after which both codes are made anew."""
TRIES: Final = Rate(per_second=5 / 60, burst=5)
"""Of one address."""
TRIES_OF_ALL: Final = Rate(per_second=20 / 60, burst=20)
DEVICES: Final = 64
"""So many devices are remembered; of more, those seen longest ago are forgotten."""
UNUSED: Final = 30 * 24 * 3600.0
"""Seconds after which a device that was not seen must be paired again."""
VISITS: Final = 3600.0
"""Seconds between writings of when each device was seen last."""
LONGEST_NAME: Final = 40
ROLES: Final[tuple[Role, ...]] = ("dealer", "viewer")


class PairingError(Exception):
    """Why a device was not let in, as a sentence; `tried_too_often` where it may try again later."""

    def __init__(self, sentence: str, tried_too_often: bool = False) -> None:
        super().__init__(sentence)
        self.tried_too_often = tried_too_often


@dataclass(frozen=True)
class Device:
    """A device that was let in. `hash` is the SHA-256 of its token; times are seconds since 1970."""

    id: str
    name: str
    role: Role
    hash: str
    paired: float
    seen: float


@dataclass(frozen=True)
class _Code:
    digits: str
    until: float


class Codes:
    """The codes in force. Usable from any thread."""

    def __init__(self, clock: Callable[[], float], on_new: Callable[[], None] = lambda: None) -> None:
        """`on_new` is told, outside any lock, when codes were made anew because one was used or guessed at."""
        self._clock, self.on_new = clock, on_new
        self._lock = threading.Lock()
        self._codes: dict[Role, _Code] = {}
        self._wrong = 0
        self._tries, self._all_tries = Limiter(TRIES, clock), Limiter(TRIES_OF_ALL, clock)

    def code(self, role: Role) -> str:
        """The code for a role; made anew where the last one is too old."""
        with self._lock:
            return self._code(role).digits

    def _code(self, role: Role) -> _Code:
        code = self._codes.get(role)
        if code is None or code.until <= self._clock():
            code = self._codes[role] = self._fresh({it.digits for it in self._codes.values()})
        return code

    def _fresh(self, taken: set[str]) -> _Code:
        while (digits := f"{secrets.randbelow(10**DIGITS):0{DIGITS}}") in taken:
            pass
        return _Code(digits, self._clock() + GOOD_FOR)

    def use(self, digits: str, role: Role, address: str) -> None:
        """Spend the code of a role; raises `PairingError`."""
        with self._lock:
            if not (self._tries.allow(address) and self._all_tries.allow("")):
                raise PairingError("Too many tries: wait a minute, then type the code that the host shows.", True)
            right = secrets.compare_digest(self._code(role).digits.encode(), digits.encode())
            if right:
                self._wrong = 0
                del self._codes[role]
            else:
                self._wrong += 1
                if renewed := self._wrong >= WRONG_TRIES:
                    self._wrong = 0
                    self._codes.clear()
        if right:
            self.on_new()
            return
        if renewed:
            self.on_new()
            raise PairingError("That is not the code. There were many tries, so the host now shows new ones.")
        raise PairingError("That is not the code that the host shows now.")


class Devices:
    """The devices that were let in, kept in a file (or, without one, until the server ends). Usable from any thread."""

    def __init__(self, path: Path | None, clock: Callable[[], float]) -> None:
        self._path, self._clock = path, clock
        self._lock = threading.Lock()
        self._written = clock()
        self._devices: dict[str, Device] = {it.hash: it for it in _read(path)}

    def add(self, role: Role, name: str) -> tuple[Device, str]:
        """Let a device in; the device and its token."""
        token, now = secrets.token_urlsafe(32), self._clock()
        shown = " ".join("".join(c if c.isprintable() else " " for c in name).split())[:LONGEST_NAME]
        device = Device(secrets.token_hex(4), shown or "A device", role, _hash(token), now, now)
        with self._lock:
            self._devices[device.hash] = device
            for old in sorted(self._devices.values(), key=lambda it: it.seen)[:-DEVICES]:
                del self._devices[old.hash]
            self._write()
        return device, token

    def known(self, token: str) -> Device | None:
        """The device that has this token; None for an unknown one, one sent away, and one not seen for a month."""
        now = self._clock()
        with self._lock:
            device = self._devices.get(_hash(token))
            if device is None or now - device.seen > UNUSED:
                return None
            self._devices[device.hash] = device = replace(device, seen=now)
            if now - self._written > VISITS:
                self._write()
            return device

    def still(self, device: Device) -> bool:
        """Whether it has not been sent away since."""
        return device.hash in self._devices

    def list(self) -> list[Device]:
        """All of them, the newest first."""
        with self._lock:
            return sorted(self._devices.values(), key=lambda it: -it.paired)

    def send_away(self, name: str) -> bool:
        """Forget the device of this id, at once; whether there was one."""
        with self._lock:
            found = [it for it in self._devices.values() if it.id == name]
            for it in found:
                del self._devices[it.hash]
            if found:
                self._write()
        return bool(found)

    def _write(self) -> None:
        """Keep them; that they cannot be kept is logged, and they serve until the server ends."""
        self._written = self._clock()
        if self._path is None:
            return
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            # Such a file is readable by nobody else from the start.
            handle, name = tempfile.mkstemp(dir=self._path.parent)
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                json.dump([asdict(it) for it in self._devices.values()], file)
            Path(name).replace(self._path)
        except OSError as error:
            log.warning("the paired devices could not be kept in %s: %s", self._path, error)


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def _read(path: Path | None) -> Iterable[Device]:
    """What was kept; what cannot be read lets nobody in."""
    if path is None:
        return
    kept: Any = None
    with contextlib.suppress(OSError, ValueError):
        kept = json.loads(path.read_text(encoding="utf-8"))
    for it in kept if isinstance(kept, list) else []:
        with contextlib.suppress(TypeError, ValueError):
            device = Device(**it)
            texts = (device.id, device.name, device.hash)
            if device.role in ROLES and all(isinstance(text, str) for text in texts):
                yield replace(device, paired=float(device.paired), seen=float(device.seen))
