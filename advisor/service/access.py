"""Who may ask what: the one gate that every request and every line (WebSocket) goes through.

This machine is always the dealer. Other machines are answered only where the server was opened to the network
(`Lan`), and then only by the address itself, never by a name that a page elsewhere could point here; they get a token
by pairing. Players' devices may look and say nothing. Sizes and rates are limited for everybody.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from ipaddress import ip_address
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from advisor.service.limits import Limiter, Rate
from advisor.service.pairing import Codes, Device, Devices
from advisor.service.wire import Role

LOOPBACK: Final = frozenset({"127.0.0.1", "localhost", "[::1]", "::1"})
FORWARDED: Final = ("forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via")
COOKIE: Final = "tableside"
HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'self'; img-src 'self' blob: data:; style-src 'self'; connect-src 'self' ws:; "
        "frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}
READING: Final = frozenset({"GET", "HEAD"})
BODY: Final = 16 * 1024
"""Bytes of a change."""
PICTURE: Final = 25 * 10**6
PICTURES: Final = re.compile(r"/api/(rummy/pictures/.*|private/picture|decks/[^/]+/picture)")
"""Where whole photographs are sent, of `PICTURE` bytes at most."""
MESSAGE: Final = 64 * 1024
"""Bytes of a message over a line, but for the camera's."""
TOO_LONG: Final = 1009
"""Closes a line over which a message of more bytes came (RFC 6455, 7.4.1)."""
CAMERA: Final = "/ws/camera"
SENT_AWAY: Final = "This device was sent away by the host."
CHECKED: Final = 1.0
"""Seconds between looks at whether a device that holds a line was sent away."""
LINES: Final = 8
"""Lines that one device may hold open."""
ALL_LINES: Final = 128
ASKING: Final = Rate(per_second=40, burst=200)
"""Of one device: a page loads about forty files, and a picture at every change."""
SAYING: Final = Rate(per_second=8, burst=40)
SAYING_HERE: Final = Rate(per_second=100, burst=1000)
"""Changes from this machine itself: far more than hands tap, and too few for a script gone wild to fill the disk."""
UNPAIRED: Final = frozenset(
    {
        "/pair",
        "/api/pair",
        "/static/pair.js",
        "/static/pair.css",
        "/static/strings-pair.js",
        "/static/icon.svg",
    }
)
"""All that a device gets before it is paired."""
DEALERS: Final = ("/setup", "/camera", "/deck", "/api/decks", CAMERA)
"""Pages and lines that are of no use to players."""
PLAYERS_SAY: Final = ("/api/private/", "/api/drills/")
"""What players may send too: it changes nothing at the table."""
HOSTS: Final = ("/api/lan", "/api/devices")
"""Only for this machine."""


@dataclass(frozen=True)
class Lan:
    """The server is open to the network: its codes, its devices, and the address that others open."""

    codes: Codes
    devices: Devices
    url: str
    names: frozenset[str] = field(default_factory=lambda: own_names())
    """The machine's own names in the network; its addresses need not be listed."""


class Refused(Exception):  # noqa: N818 - it names what happened to the request
    """A request that is not answered, and why."""

    def __init__(self, status: int, sentence: str, go: str = "") -> None:
        super().__init__(sentence)
        self.status, self.sentence, self.go = status, sentence, go


@dataclass(frozen=True)
class Asker:
    """Who asks: this machine, a paired device, or (`role` None) a device that is not paired yet."""

    address: str
    here: bool
    role: Role | None
    device: Device | None = None

    @property
    def name(self) -> str:
        """What its rates are counted by."""
        return self.device.id if self.device else self.address


def own_names() -> frozenset[str]:
    """The machine's name as the network says it."""
    name = socket.gethostname().lower().split(".")[0]
    return frozenset({name, f"{name}.local"}) if name else frozenset()


def host_of(header: str) -> str:
    """The host's name in a Host header or an origin, without scheme and port."""
    bare = header.split("://", 1)[-1].split("/", 1)[0].lower()
    if bare.startswith("["):
        return bare.split("]", 1)[0] + "]"
    return bare.rsplit(":", 1)[0] if ":" in bare else bare


class Guard:
    """The gate, as ASGI middleware. It leaves `role` and `here` in the scope's state."""

    def __init__(self, app: ASGIApp, lan: Lan | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self._app, self._lan = app, lan
        self._asking, self._saying = Limiter(ASKING, clock), Limiter(SAYING, clock)
        self._saying_here = Limiter(SAYING_HERE, clock)
        self._lines: dict[str, int] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or hand on."""
        if scope["type"] == "http":
            await self._http(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._line(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        started = False

        async def with_headers(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                said = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    said.setdefault(name, value)
            await send(message)

        try:
            asker = self._asker(scope, headers)
            self._may(asker, scope["path"], scope["method"])
            self._often(asker, scope["method"])
            limit = PICTURE if PICTURES.fullmatch(scope["path"]) else BODY
            claimed = headers.get("content-length", "")
            if claimed.isdigit() and int(claimed) > limit:
                raise _too_large(limit)
            scope.setdefault("state", {}).update(role=asker.role, here=asker.here)
            await self._app(scope, _limited(receive, limit), with_headers)
        except Refused as refused:
            if not started:
                await _answer(refused, headers, with_headers)

    async def _line(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        try:
            asker = self._asker(scope, headers)
            self._may(asker, scope["path"], "GET")
            self._often(asker, "GET")
            if self._lines.get(asker.name, 0) >= LINES * (16 if asker.here else 1):
                raise Refused(429, "This device has too many pages open.")
            if sum(self._lines.values()) >= ALL_LINES:
                raise Refused(503, "Too many pages are open.")
        except Refused as refused:
            await receive()
            await send({"type": "websocket.close", "code": 4000 + refused.status, "reason": refused.sentence[:120]})
            return
        scope.setdefault("state", {}).update(role=asker.role, here=asker.here)
        self._lines[asker.name] = self._lines.get(asker.name, 0) + 1
        limit = None if scope["path"] == CAMERA else MESSAGE
        try:
            heard = self._until_sent_away(asker, _short(receive, send, limit), send)
            await self._app(scope, heard, self._while_paired(asker, send))
        except Refused as refused:
            with contextlib.suppress(RuntimeError):
                await send({"type": "websocket.close", "code": 4000 + refused.status, "reason": refused.sentence[:120]})
        finally:
            self._lines[asker.name] -= 1
            if not self._lines[asker.name]:
                del self._lines[asker.name]

    def _while_paired(self, asker: Asker, send: Send) -> Send:
        """A line says nothing more to a device that was sent away."""

        async def checked(message: Message) -> None:
            sent_away = asker.device is not None and self._lan is not None and not self._lan.devices.still(asker.device)
            if sent_away and message["type"] == "websocket.send":
                raise Refused(401, SENT_AWAY)
            await send(message)

        return checked

    def _until_sent_away(self, asker: Asker, receive: Receive, send: Send) -> Receive:
        """A line's messages; it ends soon after its device was sent away, whatever is said over it."""
        lan, device = self._lan, asker.device
        if lan is None or device is None:
            return receive

        async def message() -> Message:
            coming = asyncio.ensure_future(receive())
            try:
                while not (await asyncio.wait({coming}, timeout=CHECKED))[0]:
                    if not lan.devices.still(device):
                        await send({"type": "websocket.close", "code": 4401, "reason": SENT_AWAY})
                        return {"type": "websocket.disconnect", "code": 4401}
                return coming.result()
            finally:
                coming.cancel()

        return message

    def _asker(self, scope: Scope, headers: Headers) -> Asker:
        """Who asks; raises `Refused` for whoever is not to be answered at all."""
        peer = (scope.get("client") or ("", 0))[0]
        own = (scope.get("server") or ("", 0))[0]
        host, loopback = headers.get("host", ""), _is_loopback(peer)
        # What a proxy on this machine hands on comes from this machine's address, and yet from anywhere.
        here = not any(name in headers for name in FORWARDED) and (
            (loopback and host_of(host) in LOOPBACK) or (self._lan is not None and not loopback and peer == own)
        )
        if not self._named_rightly(host_of(host), own, loopback):
            raise Refused(403, "This display answers only to its own address.")
        if not here and self._lan is None:
            raise Refused(403, "This display answers only to this machine.")
        origin = headers.get("origin")
        foreign = origin is not None and origin.split("://", 1)[-1].lower() != host.lower()
        if foreign and (scope["type"] == "websocket" or scope["method"] not in READING):
            raise Refused(403, "Only the pages of this server itself may do this.")
        if here:
            return Asker(peer, True, "dealer")
        assert self._lan is not None
        device = self._lan.devices.known(token) if (token := _token(headers)) else None
        return Asker(peer, False, device.role if device else None, device)

    def _named_rightly(self, host: str, own: str, loopback: bool) -> bool:
        """A page elsewhere can point its own name at this machine; only requests for this machine's are served."""
        if loopback and host in LOOPBACK:
            return True
        return self._lan is not None and (host.strip("[]") == own.lower() or host in self._lan.names)

    def _may(self, asker: Asker, path: str, method: str) -> None:
        if asker.here:
            return
        if path.startswith(HOSTS):
            raise Refused(403, "Only the machine that runs Tableside may do this.")
        if path in UNPAIRED:
            return
        if asker.role is None:
            raise Refused(401, "This device is not paired: open /pair and type the code that the host shows.", "/pair")
        if asker.role == "viewer":
            if method not in READING and not path.startswith(PLAYERS_SAY):
                raise Refused(403, "This device is a player's: only the dealer's may change anything.")
            if path == "/" or path.startswith(DEALERS):
                raise Refused(403, "This page is the dealer's.", "/players")

    def _often(self, asker: Asker, method: str) -> None:
        if asker.here:
            if method not in READING and not self._saying_here.allow(asker.name):
                raise Refused(429, "Too much is said at once: wait a moment.")
            return
        if not self._asking.allow(asker.name) or (method not in READING and not self._saying.allow(asker.name)):
            raise Refused(429, "This device asks too often: wait a moment.")


def _is_loopback(address: str) -> bool:
    try:
        return ip_address(address).is_loopback
    except ValueError:
        # A socket file, and the stand-in for a network in tests, have no address.
        return address == "testclient"


def _token(headers: Headers) -> str:
    try:
        found = SimpleCookie(headers.get("cookie", "")[:4096]).get(COOKIE)
    except CookieError:
        return ""
    return found.value if found else ""


def _too_large(limit: int) -> Refused:
    size = f"{limit // 10**6} MB" if limit >= 10**6 else f"{limit // 1024} kB"
    return Refused(413, f"This is too large: at most {size} are taken.")


def _limited(receive: Receive, limit: int) -> Receive:
    """A body's parts, refused as soon as they are too many."""
    seen = 0

    async def part() -> Message:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        if seen > limit:
            # As an answer of the application's own: it would take anything else for a body that cannot be read.
            refused = _too_large(limit)
            raise HTTPException(refused.status, refused.sentence)
        return message

    return part


def _short(receive: Receive, send: Send, limit: int | None) -> Receive:
    """A line's messages; one that is too long ends the line."""

    async def message() -> Message:
        got = await receive()
        if limit is None or len(got.get("text") or got.get("bytes") or "") <= limit:
            return got
        await send({"type": "websocket.close", "code": TOO_LONG, "reason": str(_too_large(limit))})
        return {"type": "websocket.disconnect", "code": TOO_LONG}

    return message


async def _answer(refused: Refused, headers: Headers, send: Send) -> None:
    """A person who opens a page is led on; everything else gets the sentence."""
    if refused.go and "text/html" in headers.get("accept", ""):
        said = [(b"location", refused.go.encode()), (b"content-length", b"0")]
        await send({"type": "http.response.start", "status": 303, "headers": said})
        await send({"type": "http.response.body", "body": b""})
        return
    body = json.dumps({"error": refused.sentence}).encode()
    said = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": refused.status, "headers": said})
    await send({"type": "http.response.body", "body": body})
