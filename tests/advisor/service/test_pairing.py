"""Codes and devices: what a code is good for, what guessing gets, and that only a hash of a token is kept."""

from __future__ import annotations

import stat
import sys
from pathlib import Path

import pytest

from advisor.service.limits import KNOWN, Limiter, Rate
from advisor.service.pairing import DEVICES, GOOD_FOR, UNUSED, VISITS, WRONG_TRIES, Codes, Devices, PairingError


class Clock:
    """Shows what it is set to."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


def wrong(codes: Codes) -> str:
    taken = {codes.code("dealer"), codes.code("viewer")}
    return next(f"{n:06}" for n in range(3) if f"{n:06}" not in taken)


def test_a_code_is_good_once_and_only_for_its_role() -> None:
    told: list[str] = []
    codes = Codes(Clock(), lambda: told.append("new"))
    dealer, viewer = codes.code("dealer"), codes.code("viewer")
    assert dealer != viewer and len(dealer) == len(viewer) == 6 and dealer.isdigit()
    with pytest.raises(PairingError, match="not the code"):
        codes.use(viewer, "dealer", "192.168.1.20")
    codes.use(dealer, "dealer", "192.168.1.20")
    assert told == ["new"] and codes.code("dealer") != dealer and codes.code("viewer") == viewer
    with pytest.raises(PairingError):
        codes.use(dealer, "dealer", "192.168.1.20")


def test_a_code_is_good_for_ten_minutes() -> None:
    clock = Clock()
    codes = Codes(clock)
    old = codes.code("viewer")
    clock.now += GOOD_FOR - 1
    assert codes.code("viewer") == old
    clock.now += 2
    with pytest.raises(PairingError):
        codes.use(old, "viewer", "192.168.1.20")


def test_after_wrong_tries_of_anybody_the_codes_are_others() -> None:
    codes = Codes(Clock())
    before = codes.code("dealer"), codes.code("viewer")
    for n in range(WRONG_TRIES):
        with pytest.raises(PairingError):
            codes.use(wrong(codes), "dealer", f"192.168.1.{n}")
    after = codes.code("dealer"), codes.code("viewer")
    assert before[0] != after[0] and before[1] != after[1]


def test_one_address_tries_five_times_a_minute_and_all_together_twenty() -> None:
    clock = Clock()
    codes = Codes(clock)
    for _ in range(5):
        with pytest.raises(PairingError) as tried:
            codes.use("x", "viewer", "192.168.1.20")
        assert not tried.value.tried_too_often
    with pytest.raises(PairingError, match="wait a minute") as tried:
        codes.use(codes.code("viewer"), "viewer", "192.168.1.20")
    assert tried.value.tried_too_often, "the right code does not help either"
    clock.now += 13
    codes.use(codes.code("viewer"), "viewer", "192.168.1.20")
    clock.now += 600
    refused = 0
    for n in range(30):
        with pytest.raises(PairingError) as tried:
            codes.use("x", "viewer", f"192.168.2.{n}")
        refused += tried.value.tried_too_often
    assert refused == 10


def test_a_device_is_known_by_its_token_until_it_is_sent_away(tmp_path: Path) -> None:
    kept, clock = tmp_path / "deeper" / "devices.json", Clock()
    devices = Devices(kept, clock)
    device, token = devices.add("viewer", "  Anna’s\n\x07phone ")
    assert device.name == "Anna’s phone" and devices.known(token) == device and devices.known(token + "x") is None
    text = kept.read_text(encoding="utf-8")
    assert token not in text and device.hash in text, "only a hash is kept"
    if sys.platform != "win32":
        assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    again = Devices(kept, clock)
    assert again.known(token) == device, "a restart keeps it"
    assert again.send_away(device.id) and not again.send_away(device.id)
    assert again.known(token) is None and not again.still(device)
    assert Devices(kept, clock).list() == []


def test_a_device_not_seen_for_a_month_is_paired_again() -> None:
    clock = Clock()
    devices = Devices(None, clock)
    _, token = devices.add("dealer", "")
    clock.now += UNUSED - 1
    assert devices.known(token) is not None
    clock.now += UNUSED - 1
    assert devices.known(token) is not None, "each visit counts anew"
    clock.now += UNUSED + 1
    assert devices.known(token) is None


def test_visits_are_kept_too_so_that_a_device_in_use_stays_paired(tmp_path: Path) -> None:
    kept, clock = tmp_path / "devices.json", Clock()
    devices = Devices(kept, clock)
    _, token = devices.add("viewer", "phone")
    for _ in range(3):
        clock.now += UNUSED - VISITS
        assert devices.known(token) is not None
        devices = Devices(kept, clock)
    assert devices.known(token) is not None, "months after it was paired"


def test_only_so_many_devices_are_remembered() -> None:
    clock = Clock()
    devices = Devices(None, clock)
    tokens = []
    for _ in range(DEVICES + 3):
        clock.now += 1
        tokens.append(devices.add("viewer", "phone")[1])
    assert len(devices.list()) == DEVICES and devices.known(tokens[0]) is None and devices.known(tokens[-1])


@pytest.mark.parametrize("text", ["", "{", "{}", "[5]", '[{"id": "a"}]', '[{"id":1,"name":2,"role":"king","hash":3}]'])
def test_kept_devices_that_cannot_be_read_let_nobody_in(tmp_path: Path, text: str) -> None:
    kept = tmp_path / "devices.json"
    kept.write_text(text)
    assert Devices(kept, Clock()).list() == []


def test_devices_that_cannot_be_kept_serve_until_the_end(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    devices = Devices(tmp_path / "file" / "devices.json", Clock())
    assert devices.known(devices.add("viewer", "phone")[1])


def test_a_bucket_fills_again_at_its_rate_and_never_over_its_brim() -> None:
    clock = Clock()
    limiter = Limiter(Rate(per_second=2, burst=3), clock)
    assert [limiter.allow("a") for _ in range(4)] == [True, True, True, False]
    assert limiter.allow("b"), "each asker has a bucket"
    clock.now += 0.5
    assert [limiter.allow("a") for _ in range(2)] == [True, False]
    clock.now += 100
    assert [limiter.allow("a") for _ in range(4)] == [True, True, True, False]
    for n in range(2 * KNOWN):
        limiter.allow(str(n))
    assert len(limiter._left) == KNOWN
