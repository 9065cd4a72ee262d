"""Trends: how many findings there were in each part of a window, by kind, table, Dealer, shuffler and hour of the day.

1. A window is at most `LONGEST` days. It is counted by the hour, and shown by the day where it is longer than `HOURLY`
   hours. The hour of the day is the browser's own: it gets the counts by the hour (UTC).
2. Of each dimension the `KINDS` most frequent are told apart; the others are one, under an empty name.
3. The conditions are those of a search, so that a view of a search has its trends.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from firmware_bridge.floor.archive.archive import Archive
from firmware_bridge.floor.pit.answers import Trend, Trends, TrendSeries
from firmware_bridge.floor.pit.past.asked import FINDINGS, Asked, AskedError

LONGEST, HOURLY, KINDS = 92, 96, 5
_DIMENSIONS = {"code": "f.code", "table": "f.name", "dealer": "f.dealer", "shuffler": "f.shuffler"}
_JOINED = "findings f LEFT JOIN rounds r ON r.journal = f.journal AND r.line = f.line AND r.first = f.first"


def trends(archive: Archive, casino: str, what: Asked) -> Trends:
    """The trends of a window.

    Raises:
        AskedError: it has no beginning, or is too long.
    """
    what = replace(what, what=FINDINGS)
    begin, end = _window(what)
    condition, values = what.conditions(casino)
    hours = _counted(archive, "''", condition, values)
    days = (end - begin) > timedelta(hours=HOURLY)
    found = {name: _counted(archive, column, condition, values) for name, column in _DIMENSIONS.items()}
    by: dict[str, Trend] = {name: _trend(counts, days=days) for name, counts in found.items()}
    ended = "SELECT count(*) FROM rounds WHERE casino = ? AND ended >= ? AND ended < ?"
    ((rounds,),) = archive.dialect.execute(ended, (casino, begin.isoformat(), end.isoformat()))
    return {
        "from": begin.isoformat(),
        "to": end.isoformat(),
        "bucket": 86400 if days else 3600,
        "findings": sum(hours.values()),
        "rounds": int(rounds),
        "by": by,
        "hours": [{"at": _moment(at), "value": count} for (at, _), count in sorted(hours.items())],
    }


def _window(what: Asked) -> tuple[datetime, datetime]:
    if not what.since:
        raise AskedError("from: a trend needs a beginning")
    begin = datetime.fromisoformat(what.since)
    end = datetime.fromisoformat(what.until) if what.until else datetime.now(UTC)
    if not timedelta() < end - begin <= timedelta(days=LONGEST):
        raise AskedError(f"from, to: expected a window of at most {LONGEST} days")
    return begin, end


def _counted(archive: Archive, column: str, condition: str, values: list[object]) -> Counter[tuple[str, str]]:
    """How many findings each hour had, by what a column says."""
    statement = f"""SELECT substr(f.at, 1, 13), coalesce({column}, ''), count(*) FROM {_JOINED}
        WHERE {condition} GROUP BY 1, 2"""  # noqa: S608  the names are ours
    return Counter(
        {(str(hour), str(name)): int(count) for hour, name, count in archive.dialect.execute(statement, values)}
    )


def _trend(counts: Counter[tuple[str, str]], *, days: bool) -> Trend:
    totals: Counter[str] = Counter()
    for (_, name), count in counts.items():
        totals[name] += count
    told = [name for name, _ in totals.most_common(KINDS)]
    series: list[TrendSeries] = []
    for names in [[name] for name in told] + [[name for name in totals if name not in told]]:
        points: Counter[str] = Counter()
        for (hour, name), count in counts.items():
            if name in names:
                points[hour[:10] if days else hour] += count
        if points:
            listed: TrendSeries = {
                "name": names[0] if len(names) == 1 and names[0] in told else "",
                "others": names[0] not in told,
                "points": [{"at": _moment(at), "value": count} for at, count in sorted(points.items())],
            }
            series.append(listed)
    return {"series": series, "kinds": len(totals)}


def _moment(text: str) -> str:
    """An hour or a day as a moment."""
    return f"{text}:00:00+00:00" if len(text) > 10 else f"{text}T00:00:00+00:00"
