CREATE TABLE starts (
    journal BLOB NOT NULL, casino TEXT NOT NULL, name TEXT NOT NULL, line INTEGER NOT NULL, n INTEGER NOT NULL, at TEXT,
    boot TEXT, version TEXT, program TEXT, called TEXT, people INTEGER NOT NULL, enrolled_as TEXT, nkey TEXT,
    PRIMARY KEY (journal, line, n)
);
CREATE TABLE rulings (
    journal BLOB NOT NULL, casino TEXT NOT NULL, name TEXT NOT NULL, line INTEGER NOT NULL, segment INTEGER NOT NULL,
    id INTEGER NOT NULL, first INTEGER NOT NULL, finding INTEGER, n INTEGER NOT NULL, at TEXT, who TEXT, what TEXT,
    person TEXT, role TEXT, PRIMARY KEY (journal, line, segment, id)
);
CREATE INDEX rulings_by_round ON rulings (journal, line, first);
CREATE TABLE alarms (
    journal BLOB NOT NULL, casino TEXT NOT NULL, name TEXT NOT NULL, line INTEGER NOT NULL, n INTEGER NOT NULL,
    code TEXT NOT NULL, clause TEXT NOT NULL, places TEXT NOT NULL, source TEXT NOT NULL, first INTEGER, at TEXT,
    ruling TEXT, detail TEXT, cleared TEXT, cleared_by TEXT, cleared_role TEXT, cleared_reason TEXT, told TEXT,
    PRIMARY KEY (journal, line, n, code, clause, places)
);
CREATE INDEX alarms_open ON alarms (casino, name, at) WHERE cleared IS NULL;
CREATE INDEX alarms_untold ON alarms (casino, at) WHERE told IS NULL;
CREATE INDEX alarms_by_time ON alarms (casino, at);
CREATE TABLE clearings (
    journal BLOB NOT NULL, line INTEGER NOT NULL, n INTEGER NOT NULL, place INTEGER NOT NULL, alarm INTEGER NOT NULL,
    code TEXT NOT NULL, clause TEXT NOT NULL, often INTEGER NOT NULL, at TEXT, person TEXT, role TEXT, reason TEXT,
    PRIMARY KEY (journal, line, n, place)
);
CREATE TABLE people_seen (
    journal BLOB NOT NULL, casino TEXT NOT NULL, name TEXT NOT NULL, line INTEGER NOT NULL, n INTEGER NOT NULL, at TEXT,
    what TEXT NOT NULL, number TEXT NOT NULL, person TEXT NOT NULL, role TEXT NOT NULL, PRIMARY KEY (journal, line, n)
);
CREATE INDEX people_seen_by_number ON people_seen (casino, number, at);
CREATE TABLE devices (
    journal BLOB NOT NULL, casino TEXT NOT NULL, name TEXT NOT NULL, line INTEGER NOT NULL, n INTEGER NOT NULL, at TEXT,
    device TEXT NOT NULL, serial TEXT NOT NULL, firmware TEXT NOT NULL, PRIMARY KEY (journal, line, n)
);
CREATE INDEX devices_by_serial ON devices (casino, serial, at);
CREATE TABLE shuffles (
    journal BLOB NOT NULL, casino TEXT NOT NULL, name TEXT NOT NULL, line INTEGER NOT NULL, n INTEGER NOT NULL, at TEXT,
    method TEXT NOT NULL, times INTEGER NOT NULL, serial TEXT NOT NULL, PRIMARY KEY (journal, line, n)
);
CREATE INDEX shuffles_by_time ON shuffles (casino, at);
CREATE TABLE ingesters (
    public BLOB PRIMARY KEY, name TEXT NOT NULL, added TEXT NOT NULL, commits INTEGER NOT NULL, struck TEXT
);
CREATE TABLE receipts (
    journal BLOB NOT NULL, epoch TEXT NOT NULL, head INTEGER NOT NULL, n INTEGER NOT NULL, chain BLOB NOT NULL,
    backed INTEGER NOT NULL, public BLOB NOT NULL, signature BLOB NOT NULL, at TEXT NOT NULL, PRIMARY KEY (journal, epoch)
);
CREATE TABLE centre_keys (version INTEGER PRIMARY KEY, document TEXT NOT NULL, made TEXT NOT NULL);
ALTER TABLE aside ADD COLUMN batches INTEGER NOT NULL DEFAULT 1;
ALTER TABLE aside ADD COLUMN total INTEGER NOT NULL DEFAULT 0;
CREATE TABLE rosters (
    casino TEXT NOT NULL, version INTEGER NOT NULL, document BLOB NOT NULL, person TEXT NOT NULL, second TEXT NOT NULL,
    made TEXT NOT NULL, PRIMARY KEY (casino, version)
);
CREATE TABLE escalations (
    id TEXT PRIMARY KEY, casino TEXT NOT NULL, name TEXT NOT NULL, journal TEXT NOT NULL, n INTEGER NOT NULL,
    code TEXT NOT NULL, ruling TEXT NOT NULL, at TEXT NOT NULL, heard DOUBLE PRECISION NOT NULL, state TEXT NOT NULL,
    due DOUBLE PRECISION NOT NULL, person TEXT, taken TEXT, ended TEXT
);
CREATE INDEX escalations_due ON escalations (state, due) WHERE ended IS NULL;
CREATE TABLE outbox (
    id TEXT PRIMARY KEY, escalation TEXT NOT NULL REFERENCES escalations (id), way TEXT NOT NULL, target TEXT NOT NULL,
    body TEXT NOT NULL, made DOUBLE PRECISION NOT NULL, lease DOUBLE PRECISION NOT NULL, holder TEXT, tries INTEGER NOT NULL,
    sent TEXT, problem TEXT
);
CREATE INDEX outbox_waiting ON outbox (lease) WHERE sent IS NULL;
CREATE TABLE views (
    owner TEXT NOT NULL, name TEXT NOT NULL, address TEXT NOT NULL, made TEXT NOT NULL, PRIMARY KEY (owner, name)
);
DROP INDEX findings_by_code;
DROP INDEX findings_by_table;
ALTER TABLE findings ADD COLUMN at TEXT;
ALTER TABLE findings ADD COLUMN dealer TEXT;
ALTER TABLE findings ADD COLUMN shuffler TEXT;
ALTER TABLE findings ADD COLUMN how TEXT;
ALTER TABLE findings ADD COLUMN person TEXT;
ALTER TABLE findings ADD COLUMN role TEXT;
CREATE INDEX findings_by_time ON findings (casino, at);
CREATE INDEX findings_by_code ON findings (code, at);
CREATE INDEX findings_by_table ON findings (casino, name, at);
CREATE INDEX findings_by_whose ON findings (whose, at);
CREATE INDEX findings_by_dealer ON findings (casino, dealer, at);
CREATE INDEX findings_by_shuffler ON findings (casino, shuffler, at);
CREATE INDEX findings_by_round ON findings (journal, line, first);
ALTER TABLE rounds ADD COLUMN dealer TEXT;
ALTER TABLE rounds ADD COLUMN shuffler TEXT;
ALTER TABLE rounds ADD COLUMN arrived TEXT;
ALTER TABLE wagers ADD COLUMN arrived TEXT;
CREATE INDEX rounds_by_dealer ON rounds (casino, dealer, began);
