"""The figures of an ingester for Prometheus, and its look at the archive."""

from __future__ import annotations

import calendar
from datetime import UTC, date, datetime

from firmware_bridge.floor.archive import alarms
from firmware_bridge.floor.archive.archive import Archive, Place
from firmware_bridge.floor.metrics import COUNTER, GAUGE, HISTOGRAM, Figure

_CENTRE = Place(b"", "", "")


class Figures:
    """What an ingester counts."""

    def __init__(self) -> None:
        """Begin with nothing."""
        name = "truedeal_ingest"
        self.rows = Figure(f"{name}_rows_total", COUNTER, "events that were committed")
        self.batch = Figure(f"{name}_batch_seconds", HISTOGRAM, "from the arrival of a batch to its answer")
        self.verify = Figure(f"{name}_verify_seconds", HISTOGRAM, "verifying a group")
        self.commit = Figure(f"{name}_commit_seconds", HISTOGRAM, "committing a group")
        self.group = Figure(f"{name}_group_batches", HISTOGRAM, "batches of a group", (1, 2, 4, 8, 16, 32, 64))
        self.refused = Figure(f"{name}_refused_total", COUNTER, "messages that were not taken, by what was answered")
        self.quarantined = Figure(f"{name}_quarantined", GAUGE, "quarantined journals of a table")
        name = "truedeal_archive"
        self.ahead = Figure(f"{name}_partition_days_ahead", GAUGE, "days for which there are partitions")
        self.backed = Figure(f"{name}_backed_age_seconds", GAUGE, "since the last backup that was read elsewhere")
        self.lag = Figure(f"{name}_replica_lag_seconds", GAUGE, "that the replica is behind")

    @property
    def all(self) -> list[Figure]:
        """Every figure."""
        return list(vars(self).values())

    def look_at(self, archive: Archive) -> None:
        """Look at the archive; rows that lie where no month was made are an alarm.

        Raises:
            ArchiveError: it is away.
        """
        self.quarantined.clear()
        for place, _ in archive.quarantined():
            self.quarantined.add(1, table=f"{place.casino}/{place.name}")
        found, now = archive.dialect.condition(), datetime.now(UTC)
        if found.month is not None:
            year, month = map(int, found.month.split("_"))
            last = date(year, month, calendar.monthrange(year, month)[1])
            self.ahead.put((last - now.date()).days)
        if found.replica_lag is not None:
            self.lag.put(found.replica_lag)
        ((done,),) = archive.dialect.execute("SELECT max(done) FROM backups")
        if done:
            self.backed.put((now - datetime.fromisoformat(done)).total_seconds())
        chosen = "SELECT 1 FROM alarms WHERE journal = ? AND code = ?"
        if found.astray and not archive.dialect.execute(chosen, (b"", alarms.NO_MONTH)):
            with archive.dialect.transaction():
                detail = "rows lie in the default partition: no month was made for them"
                alarms.raise_at_centre(archive.dialect, _CENTRE, alarms.NO_MONTH, 0, detail)
