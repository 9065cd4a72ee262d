"""The routes of the console and its event stream.

1. Routes and methods are those of the application itself, made as the console makes it. Which of them need a login with
   TLS comes from the policy.
2. The events of the stream are the daemon's news, and what the console writes itself, found in its source.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from starlette.routing import Route

import firmware_bridge.console
from deploy.reference.control import NEWS
from deploy.reference.pages import MADE, check_names, table
from firmware_bridge.console.live import feed
from firmware_bridge.console.settings import Settings
from firmware_bridge.console.web import policy, stream
from firmware_bridge.console.web.app import make

_COMMAND = "`id`, 8 to 64 letters, digits, `-` or `_`, another for each command"
_SEARCH = (
    "`number`, `from`, `to`, `box`, `finding` (a code, or `any`), `clause`, `outcome`, `person`, `amount` (least stake "
    "of a wager), `card`, `notes` (`any`, `bookmarked`)"
)
_AUDIT = "for surveillance, pit-manager, shift-manager"
ROUTES = {
    "GET /": ("the page", "HTML"),
    "GET /static/{path:path}": ("its files", "a file"),
    f"GET {policy.STREAM}": ("the event stream; `Last-Event-ID` tells what was heard last", "events, see below"),
    "GET /api/session": (
        "begins a session, or tells of it",
        "`token`, `name`, `role`, `roles`, `must_login`, `extras`, `version`, `lang`, `badge`; the session as a cookie",
    ),
    "POST /api/login": (
        "logs in: `name`, `pin`, `new` for a new PIN, `keep` to be refused where they are logged in elsewhere",
        "as `/api/session`; 403 with `refused`",
    ),
    "GET /api/duty": (
        "who has logged in here lately, at the table's own screen",
        "`people`: `initials`, `number`, `role`",
    ),
    "POST /api/logout": ("logs out", "as `/api/session`"),
    "POST /api/why": (f"asks why `statement` would be refused; {_COMMAND}", "what the daemon answers to `why`"),
    "POST /api/say": (f"says `statement`, of deal notation; {_COMMAND}", "what the daemon answers to `say`"),
    "POST /api/note": (
        f"writes about a round: `key`, and `text` or `bookmark`; {_COMMAND}",
        "what the daemon answers to `note`",
    ),
    "POST /api/clear": (
        f"clears alarms: `reason`, and `n` or `code` for some of them; {_COMMAND}",
        "what the daemon answers to `clear`",
    ),
    "GET /api/rounds": (
        f"finds rounds by {_SEARCH}; pages: `count`, `next`",
        "`rounds`, `next`, `back_to`, `unread`",
    ),
    "GET /api/rounds.csv": ("the same, all of them", "CSV"),
    "GET /api/rounds/{key}": (
        "one round by its key, as the list and every export have it; `segment` where that is not unique",
        "the round with its steps, a scene after each, its notes, and what proves it",
    ),
    "GET /api/verify": (f"how the last verification went; {_AUDIT}", "`running`, `at`, `status`, `lines`"),
    "POST /api/verify": (f"begins one; {_AUDIT}", "as `GET`"),
    "GET /api/affected/{format}": (f"the affected rounds as `csv` or `html`; {_AUDIT}", "a file"),
    "GET /api/bundle": (f"what support needs; {_AUDIT}", "a file"),
    "GET /api/health": ("how the daemon is, and what to do", "`health`, `checks`, `coverage`"),
    "GET /api/health/samples": (
        "what is plotted, of the last `hours`",
        "`hours`, `links`, `latency`, `pace` and others",
    ),
    "GET /api/games": ("the games side by side", "an object"),
    "GET /api/rulings/{game}": ("the rulings matrix of a game", "an object"),
    "GET /api/clauses/{game}": ("how the product stands to each clause of a game", "an object"),
    "GET /api/words/{game}/{clause}": (
        "the words of a clause, if the house has put its document here",
        "`words` or null",
    ),
    "GET /api/readings": ("where a document can be read in two ways", "an object"),
}
EVENTS = {
    feed.SCENE: "all that the page draws, as `scene` of the control socket tells it; only the newest is sent",
    "session": "the session has changed: why it ended",
    "gone": "`reason`, `remedy`: the daemon does not answer",
    "back": "the daemon answers again",
    "beat": f"nothing else was sent for {stream.BEAT:g} seconds",
}
_OF_A_CONNECTION = {"ended"}  # told to who has logged in over it, not to those who watch
_HEAD = """# The console over HTTP

{made}
The page and everything on it. The console reads from the daemon and commands over the control socket
([its reference](../control/REFERENCE.md)); it decides nothing.

## What every request must satisfy

- The Host header names this console; a request under `{api}` does not come from another site.
- What changes something is a POST of `application/json` with at most {body:,} bytes, a session's cookie and its token
  in the header `{token}`. `GET /api/session` gives both.
- With TLS everything needs a login except where the table says otherwise. Without TLS only this computer reaches the
  console, and reading is free.
- An error is a JSON object with `error`, and `remedy` where somebody can do something.

## Routes

"""
_STREAM = """
## Events of `{stream}`

Server-sent events; the data is JSON. `seen` has the row of the journal as its id. A browser comes back after {retry}
milliseconds. At most {most} watch. No card that lies face down is named.

"""


def page() -> str:
    """Return the page."""
    found = dict(routes())
    check_names("routes", found, ROUTES)
    check_names("events of the stream", {*_written(), feed.SCENE}, EVENTS)
    head = _HEAD.format(made=MADE, api=policy.API, body=policy.BODY, token=policy.TOKEN)
    rows = ([f"`{name}`", "" if free else "with TLS", *ROUTES[name]] for name, free in found.items())
    news = {name: told for name, told in NEWS.items() if name not in _OF_A_CONNECTION}
    events = EVENTS | news
    listed = table(("event", "what it holds"), ([f"`{name}`", events[name]] for name in sorted(events)))
    stream_of = _STREAM.format(stream=policy.STREAM, retry=stream.RETRY, most=stream.MOST)
    return head + table(("route", "login", "what it does", "answer"), rows) + stream_of + listed


def routes() -> Iterator[tuple[str, bool]]:
    """Yield each route with its method, and whether it needs no login."""
    for route in make(Settings(Path("control.sock"))).routes:
        assert isinstance(route, Route)  # noqa: S101  the console has no others
        for method in sorted((route.methods or {"GET"}) - {"HEAD"}):
            yield f"{method} {route.path}", policy.is_open(route.path)


def _written() -> Iterator[str]:
    """Yield the name of each event that the console itself writes."""
    for path in sorted(Path(firmware_bridge.console.__file__).parent.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(func=ast.Name(id="written"), args=[ast.Constant(value=str(name)), *_]):
                    yield name
