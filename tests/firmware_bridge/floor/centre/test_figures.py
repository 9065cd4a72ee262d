"""What an ingester tells of itself: figures for Prometheus, slow groups in the log, alarms to a real syslog server."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from firmware_bridge.anchors.targets import SyslogTarget
from firmware_bridge.floor.archive import alarms
from firmware_bridge.floor.archive.archive import Archive, Enrolled
from firmware_bridge.floor.archive.backups import begin_backup, end_backup
from firmware_bridge.floor.centre import archivist as archivist_module
from firmware_bridge.floor.centre.alarm_syslog import AlarmSyslog
from firmware_bridge.floor.centre.archivist import Archivist, Came
from firmware_bridge.floor.centre.figures import Figures
from firmware_bridge.floor.centre.ingester_key import IngesterKey
from firmware_bridge.floor.intake.known import Wrong
from firmware_bridge.floor.metrics import COUNTER, GAUGE, HISTOGRAM, Figure, rendered, serve_metrics
from firmware_bridge.floor.shipping.source import Source
from firmware_bridge.floor.wire.batch import FORMAT, pack
from tests.firmware_bridge.anchors.servers import authority, needs_rsyslog, syslog
from tests.firmware_bridge.floor.batches import batches
from tests.firmware_bridge.floor.conftest import CASINO, TABLE
from tests.firmware_bridge.floor.postgres_rig import Cluster
from tests.patience import PATIENCE, eventually


def test_figures_are_written_as_prometheus_reads_them() -> None:
    """Counters, gauges with labels, and histograms with sums and counts."""
    many, now, took = Figure("a_total", COUNTER, "x"), Figure("b", GAUGE, "y"), Figure("c", HISTOGRAM, "z", (1, 2))
    many.add()
    many.add(12_345_678)
    now.put(1.5, table='a"\\\nb')
    for seconds in (0.5, 1.0, 5):
        took.observe(seconds)
    assert [
        "# HELP a_total x",
        "# TYPE a_total counter",
        "a_total 12345679",
        "# HELP b y",
        "# TYPE b gauge",
        'b{table="a\\"\\\\\\nb"} 1.5',
        "# HELP c z",
        "# TYPE c histogram",
        'c_bucket{le="1"} 2',
        'c_bucket{le="2"} 2',
        'c_bucket{le="+Inf"} 3',
        "c_sum 6.5",
        "c_count 3",
    ] == rendered([many, now, took]).decode().splitlines()


def test_only_the_figures_are_answered() -> None:
    """Over HTTP; anything else is not found, and too much is no answer."""

    async def ask(port: int, request: bytes) -> bytes:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(request)
        answer = await asyncio.wait_for(reader.read(), PATIENCE)
        writer.close()
        return answer

    async def main() -> None:
        figure = Figure("a", GAUGE, "x")
        figure.put(7)
        server = await serve_metrics([figure], "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        found = await ask(port, b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n")
        assert found.startswith(b"HTTP/1.1 200 OK\r\n")
        assert found.endswith(b"\na 7\n")
        assert (await ask(port, b"GET / HTTP/1.1\r\n\r\n")).startswith(b"HTTP/1.1 404 ")
        assert b"" == await ask(port, b"x" * 9000)
        server.close()

    asyncio.run(main())


def test_a_group_is_counted_and_a_slow_one_is_told_by_its_stages(
    url: str, state: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Rows, seconds and refusals; how long a batch waited, was verified and written."""
    monkeypatch.setattr(archivist_module, "SLOW", -1)
    with Archive.open(url) as archive:
        archive.add_table(Enrolled(CASINO, TABLE, ""))
        archive.add_journal(CASINO, TABLE, Source(state).root())
    working = Archivist(url, IngesterKey(tmp_path / "key"))
    answered: list[str] = []
    sent = batches(state)[0]
    for body in (pack(sent), b"nonsense"):
        working.add(Came(CASINO, TABLE, FORMAT, body, lambda answer: answered.append(answer.said), 1.0))
    working.start()
    eventually(lambda: 2 == len(answered))
    working.end()
    working.join(PATIENCE)
    text = rendered(working.figures.all).decode()
    assert f"truedeal_ingest_rows_total {sent.last.n}\n" in text
    assert 'truedeal_ingest_refused_total{reason="unknown"} 1\n' in text
    for count in ("batch_seconds_count 2", "commit_seconds_count 1", "group_batches_sum 1"):
        assert f"truedeal_ingest_{count}\n" in text
    said = capsys.readouterr().err
    assert f"slow: 2 messages with {sent.last.n} rows took " in said
    assert ": waited " in said
    assert " s, wrote " in said


def test_the_archive_is_looked_at(archive: Archive) -> None:
    """Quarantined journals by table, and the age of the last backup."""
    journal = archive.add_journal(CASINO, TABLE, bytes(32))
    archive.quarantine(journal, Wrong("fork", 1, "another past"), b"")
    figures = Figures()
    figures.look_at(archive)
    assert "backed_age_seconds 0\n" not in rendered(figures.all).decode()
    end_backup(archive, archive, begin_backup(archive))
    figures.look_at(archive)
    text = rendered(figures.all).decode()
    assert f'truedeal_ingest_quarantined{{table="{CASINO}/{TABLE}"}} 1\n' in text
    assert "\ntruedeal_archive_backed_age_seconds " in text
    archive.release(journal, "Ann", "Bob", ends=False)
    figures.look_at(archive)
    assert "truedeal_ingest_quarantined{" not in rendered(figures.all).decode()


def test_rows_without_a_month_are_an_alarm(cluster: Cluster, template: str) -> None:
    """The default partition takes them, and the centre says so once."""
    with Archive.open(cluster.url(cluster.database(template))) as archive:
        figures = Figures()
        archive._prepare_months(archive_today())
        figures.look_at(archive)
        assert "partition_days_ahead " in rendered(figures.all).decode()
        assert [] == archive.dialect.execute("SELECT code FROM alarms")
        archive.dialect.execute("INSERT INTO wagers VALUES ('j', 1, 1, 1, '{}', 1, 1, '2001-01-01')")
        for _ in range(2):
            figures.look_at(archive)
        assert [(alarms.NO_MONTH,)] == archive.dialect.execute("SELECT code FROM alarms")


def archive_today() -> date:
    """The day by the centre's clock."""
    return datetime.now(UTC).date()


@needs_rsyslog
@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
def test_every_alarm_goes_to_a_syslog_server_at_least_once(archive: Archive, url: str, tmp_path: Path) -> None:
    """Also those of a time at which the server was away; what was told is not told again."""
    journal = archive.add_journal(CASINO, TABLE, bytes(32))
    archive.quarantine(journal, Wrong("fork", 7, "another past é\0"), b"")
    authority(tmp_path / "syslog", "localhost")
    with syslog(tmp_path / "syslog") as server:
        telling = AlarmSyslog(url, SyslogTarget("localhost", server.port), tmp_path / "syslog" / "ca.pem")
        telling.start()
        eventually(server.received)
        eventually(lambda: [] == alarms.untold(archive.dialect, 9))
        archive.release(journal, "Ann", "Bob", ends=False)
        archive.quarantine(journal, Wrong("gap", 9, "again"), b"")
        eventually(lambda: 2 == len(server.received()))
        telling.end()
        telling.join(PATIENCE)
        lines = server.received()
    assert all(line.startswith("<105>1 ") and " truedeal " in line and " alarm - {" in line for line in lines)
    told = [json.loads(line[line.index("{") :]) for line in lines]
    assert [("quarantined", 7), ("quarantined", 9)] == [(one["code"], one["n"]) for one in told]
    assert journal.hex() == told[0]["journal"]
