"""Why the daemon itself does not let something happen: one ground a line, and the value that carries it.

1. A denial is a ground and what the ground speaks of, never a sentence, as a refusal of the rules is
   (`gamecore.model.events.refusals`): each language has its own words for it. The value of a ground is the English
   text, for terminals, the journal and the Dealer's panel.
2. The name of a gap says what stands there, as in the core. `detail` is what a system, a device or a file says of
   itself, in its own words.
3. The page has one catalogue for the keys of grounds and of the rules' reasons, so no two keys may be the same.
4. A request that cannot be understood is no denial. It is an error, for the author of the program that asked.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import unique

from gamecore.model.events.refusals import Arguments, Refused
from gamecore.model.events.texts import Text, english, gap_for_page
from gamecore.view.report import RefusalReport, refusal_report


@unique
class Ground(Text):
    """Why something may not happen."""

    # --- roles
    LOGIN_NEEDED = "'{statement}' needs a login: nobody is logged in"
    ROLE_NEEDED = "'{statement}' needs {roles}: logged in as {role}"
    ROLE_NEEDED_NOBODY = "'{statement}' needs {roles}: nobody is logged in"
    SAY_AT_CONSOLE = "'{statement}' needs {roles}: say it at the console"
    TURN_KEY_ON = "'{statement}' needs {roles}: turn the key switch on"
    TURN_KEY_AGAIN = "'{statement}' needs {roles}: turn the key switch off and on again"
    CARDS_NOT_SHOWN = "'{statement}' needs {roles}"
    CONTROL_SOCKET_ONLY = "'{statement}' is for the control socket: nothing is commanded here"
    # --- two persons
    TAKEN_BACK_AT_PANEL = "'take-back' is for the one who said it: it was pressed at the panel, and is taken back there"
    TAKEN_BACK_BY_NOBODY = "'take-back' is for the one who said it: nobody has said it"
    TAKEN_BACK_BY_OTHER = "'take-back' is for the one who said it: {person} did"
    PANEL_HAS_NO_NAME = "{code} began at the panel, which has no name: a named person approves it at the console"
    OTHER_APPROVES = "{person} has said what waits under {code}: another person approves it"
    OTHER_CLEARS = "{person} has reported {code}: another person clears it"
    OTHER_CONFIRMS = "another person must confirm it"
    # --- what is said
    DEVICE_REPORTS = "'{statement}' cannot be said: the {device} reports it"
    COMPUTER_REPORTS = "'{statement}' cannot be said: the table computer reports it"
    PLACES_TOLD = "{count} places are told already: the cards come first"
    TOO_LONG = "it is too long for the journal"
    TOO_MANY_WAIT = "too many wait for an answer"
    REQUESTS_FULL = "{most} requests of this connection wait for their answer, which is the most"
    JOURNAL_STALLED = "the journal cannot be written: {detail}"
    CARD_FACE_DOWN = "not told while a card lies face down"
    # --- documents of the house
    DOCUMENT_UNUSABLE = "the document cannot be used: {detail}"
    DOCUMENT_IS_ANOTHER = "the document is not the one that was named"
    # --- alarms
    ALARM_OPEN = "the alarm {code} (event {number}) is not cleared: needs {roles}"
    NO_ALARM = "there is no alarm"
    NO_SUCH_ALARM = "there is no such alarm"
    # --- an open table
    OPEN_LOGIN = "this table is open: everything is allowed"
    OPEN_ALARM = "this table is open: an alarm ends with the hold"
    OPEN_PROGRAM = "this table is open: nobody needs to accept a program"
    OPEN_PEOPLE = "this table is open: it has no people"
    OPEN_ELSEWHERE = (
        "this table is open, so nobody can log in from elsewhere: take open = true out of its configuration"
    )
    # --- login
    LOGINS_BUSY = "too many log in at once: try again"
    LOGIN_WRONG = "name or PIN is wrong"
    LOGIN_EXPIRED = "{person} may not log in since {day}: ask a shift manager"
    ENTRY_CHANGED = "the entry was changed meanwhile: try again"
    TRY_BEING_CHECKED = "a try under this name is being checked"
    WAIT_AFTER_TRIES = "wait {seconds} seconds after wrong tries"
    NAME_LOCKED = "too many wrong tries under this name: log in at the console's own screen, or with the key switch on"
    # --- a login that has ended
    LOGGED_IN_ELSEWHERE = "{person} has logged in elsewhere ({origin})"
    PERSON_CHANGED = "{person} was changed: log in again"
    SESSION_UNUSED = "nobody has used the session for a while"
    SESSION_TOO_LONG = "the session has lasted as long as one may"
    SESSION_USED_UP = "the session has taken as many commands as one may"
    LOGGED_OUT = "logged out"
    DAEMON_RESTARTED = "the daemon was restarted: log in again"
    # --- PINs
    PIN_IS_OLD_ONE = "the new PIN is the old one"
    PIN_LENGTH = "a PIN has {least} to {most} digits"
    PIN_REPEATS = "a PIN repeats nothing: no digit three times in a row, no piece that comes again and again"
    PIN_COUNTS = "a PIN has no {count} digits that count up or down"
    PIN_IS_NUMBER = "a PIN is not the staff number"
    PIN_HAS_YEAR = "a PIN has no year in it"
    PIN_WAS_GIVEN = "somebody else has chosen this PIN: choose one of your own"
    PIN_TOO_OLD = "this PIN is {days} days old: choose a new one"
    PIN_GROWS_OLD = "this PIN is {days} days old: after {most} a new one is asked for"
    PINS_BUSY = "too many PINs are being checked: try again"
    # --- the list of people
    LIST_NEEDS = "the list needs {role} or above"
    CHANGE_NEEDS = "to propose a change needs {role}"
    CONFIRMING_NEEDS = "to confirm a change needs {role} or above"
    NUMBER_TAKEN = "{number} is the number of {person} already"
    NUMBER_UNKNOWN = "nobody has the number {number}"
    NUMBER_FORM = "number: expected a staff number of 1 to 20 letters, digits and -"
    NEW_PERSON_NEEDS = "a new person needs name, role and PIN"
    PEOPLE_AT_CENTRE = "people are changed at the centre of the floor, which was heard a while ago"
    LIST_FULL = "the list has {most} people, which is the most"
    KIND_FORM = "kind: expected one of {kinds}"
    NAME_FORM = "name: expected at most {most} printable characters"
    ROLE_FORM = "role: expected one of {kinds}"
    UNTIL_FORM = "until: expected a day such as 2027-01-31"
    NOTHING_CHANGES = "nothing would change"
    PROPOSALS_FULL = "{most} proposals wait, which is the most"
    NO_SUCH_PROPOSAL = "there is no such proposal, or it is over"
    THIRD_CONFIRMS = "another person must confirm it: not the one that proposed it, nor the one it is about"
    CHANGED_SINCE = "{number} was changed since: propose it again"
    CHANGE_BEING_WRITTEN = "another change is being written: try again"
    NOBODY_LEFT = "this would leave nobody to propose a change and another to confirm it"
    LIST_NOT_WRITTEN = "the list cannot be written: {detail}"
    # --- another table
    ROUND_COMES_FIRST = "round {number} is on: another table is put there after it"
    TABLE_NOT_NAMED = "only a table that is configured is put in place here: name one"
    NO_SUCH_TABLE = "no table is configured as '{name}': there are {tables}"
    NO_TABLES = "no table is configured as '{name}': there are none"
    TABLE_BY_TWO = "another table is proposed by one person and confirmed by another"
    # --- the program
    PROGRAM_BEING_CHECKED = "the program is being checked: try again in a moment"
    PROGRAM_CHANGED = "the program is not what its maker has signed: {detail}"
    PROGRAM_NOT_ACCEPTED = "the program {program} is not accepted yet: needs {signatories}"
    PROGRAM_OLDER = (
        "the program {program}, older than {version}, which has run here, is not accepted yet: needs {signatories}"
    )
    NO_PROGRAM_WAITS = "no program waits to be accepted"
    PROGRAM_NEEDS = "to accept a program needs {roles}: logged in as {role}"
    PROGRAM_NEEDS_NOBODY = "to accept a program needs {roles}: nobody is logged in"
    OTHER_PROGRAM = "the program that waits is {program}"
    ACCEPTED_BY_YOU = "{person} has accepted it already: a second person is needed"
    ACCEPTED_BY_ROLE = "one {role} has accepted it already"
    # --- the journal
    NOT_ANCHORED = "no anchor has confirmed the journal yet"
    NO_KEY_WAITS = "no key waits to be accepted"
    OTHER_SEGMENT = "the key that waits is that of segment {number}"
    ONE_MUST_BE = "one of the two must be a {role}"
    NO_SUCH_PAST_ROUND = "there is no such round at hand"
    ROUNDS_BUSY = "too many past rounds are asked for at once: try again"
    # --- links
    ASIDE_NEEDS = "to set a register aside needs {role}"
    ASIDE_CONFIRMING_NEEDS = "to confirm it needs {role} or above"
    REGISTER_NOT_ABOVE = "no register of the {device} is above the journal"
    REGISTER_NO_LONGER_ABOVE = "no register of the {device} is above the journal any more"
    PAIRING_NEEDS = "to pair needs {first_role}, or {second_role} or above"
    PAIRING_CONFIRMING_NEEDS = "to confirm needs {role} or above"
    NO_DEVICE_TO_PAIR = "no device to pair is called '{name}': there are {devices}"
    KEY_IS_CONFIGURED = "the configuration names the key of the {device}: take it out there to pair it"
    PAIRING_IN_ROUND = "a round is on: a device is paired between rounds"
    PAIRING_ANOTHER = "the {device} is being paired: one at a time"
    PAIRING_RESTS = "it was tried too often: again in {seconds} s"
    NO_SUCH_PAIRING = "there is no such pairing, or it is over"
    PAIRING_LATE = "nobody confirmed it in time"
    PAIRING_FAILED = "{detail}"
    SHOWS_ANOTHER_CODE = "that is not what the table shows: look at the cable, and begin anew"
    CODE_NOT_TAKEN = "the device has not taken it yet: press at its display that the code is the same"
    KEY_TWICE = "that is the key of the {devices}: every device has its own"


@dataclass(frozen=True, slots=True)
class Denial:
    """Something may not happen: the ground, and what it speaks of."""

    ground: Ground
    arguments: Arguments = ()

    def __str__(self) -> str:
        """The ground in English."""
        return english(self.ground, self.arguments)


Why = Denial | Refused
"""Why something may not be: what the daemon says itself, or what the rules say."""


class DeniedError(Exception):
    """What was asked may not happen."""

    def __init__(self, why: Denial) -> None:
        super().__init__(str(why))
        self.why = why


def deny(ground: Ground, **arguments: object) -> Denial:
    """The denial for a ground, with what it speaks of."""
    return Denial(ground, tuple(arguments.items()))


def why_report(why: Why) -> RefusalReport:
    """The key of a reason or ground, the clause, and what stands in its gaps; a ground has no clause."""
    match why:
        case Refused():
            return refusal_report(why)
        case Denial(ground, arguments):
            return {
                "key": ground.key,
                "clause": "",
                "arguments": {name: gap_for_page(value) for name, value in arguments},
            }


def refusal_answer(why: Why) -> dict[str, object]:
    """The answer that something is refused: in English, and with its key for a page."""
    return {"refused": str(why), "refusal": why_report(why)}
