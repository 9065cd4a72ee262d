CREATE TABLE archive (kind TEXT NOT NULL, epoch TEXT NOT NULL);
CREATE TABLE floor_tables (
    casino TEXT NOT NULL, name TEXT NOT NULL, nkey TEXT NOT NULL, added TEXT NOT NULL, PRIMARY KEY (casino, name)
);
CREATE TABLE journals (
    id BLOB PRIMARY KEY, casino TEXT NOT NULL, name TEXT NOT NULL, root BLOB NOT NULL, added TEXT NOT NULL,
    state TEXT NOT NULL, reason TEXT NOT NULL, line INTEGER NOT NULL, segment INTEGER NOT NULL, n INTEGER NOT NULL,
    chain BLOB NOT NULL, records INTEGER NOT NULL, digest BLOB NOT NULL, head INTEGER NOT NULL,
    seal_head INTEGER NOT NULL, seal_n INTEGER NOT NULL, seal_chain BLOB NOT NULL, segment_key BLOB NOT NULL,
    edition INTEGER NOT NULL, loose INTEGER NOT NULL, backed_head INTEGER NOT NULL, backed_n INTEGER NOT NULL,
    FOREIGN KEY (casino, name) REFERENCES floor_tables (casino, name)
);
CREATE TABLE segments (
    journal BLOB NOT NULL, line INTEGER NOT NULL, segment INTEGER NOT NULL, first INTEGER NOT NULL,
    edition INTEGER NOT NULL, segment_key BLOB NOT NULL, said TEXT NOT NULL, PRIMARY KEY (journal, line, segment)
);
CREATE TABLE events (
    journal BLOB NOT NULL, line INTEGER NOT NULL, n INTEGER NOT NULL, arrived TEXT NOT NULL, segment INTEGER NOT NULL,
    at TEXT, kind TEXT, device TEXT, person TEXT, chain BLOB NOT NULL, data BLOB NOT NULL,
    PRIMARY KEY (journal, line, n)
) WITHOUT ROWID;
CREATE TABLE records (
    journal BLOB NOT NULL, line INTEGER NOT NULL, segment INTEGER NOT NULL, number INTEGER NOT NULL, data BLOB NOT NULL,
    PRIMARY KEY (journal, line, segment, number)
);
CREATE TABLE heads (
    journal BLOB NOT NULL, line INTEGER NOT NULL, segment INTEGER NOT NULL, number INTEGER NOT NULL, n INTEGER NOT NULL,
    data BLOB NOT NULL, PRIMARY KEY (journal, line, segment, number)
);
CREATE TABLE rounds (
    journal BLOB NOT NULL, casino TEXT NOT NULL, name TEXT NOT NULL, line INTEGER NOT NULL, segment INTEGER NOT NULL,
    id INTEGER NOT NULL, number INTEGER, game TEXT, first INTEGER NOT NULL, last INTEGER, began TEXT, ended TEXT,
    outcome TEXT, boxes TEXT, PRIMARY KEY (journal, line, first)
);
CREATE INDEX rounds_by_table ON rounds (casino, name, began);
CREATE INDEX rounds_by_time ON rounds (casino, began);
CREATE TABLE wagers (
    journal BLOB NOT NULL, line INTEGER NOT NULL, first INTEGER NOT NULL, place INTEGER NOT NULL, said TEXT NOT NULL,
    stake INTEGER, net INTEGER, PRIMARY KEY (journal, line, first, place)
);
CREATE TABLE findings (
    journal BLOB NOT NULL, casino TEXT NOT NULL, name TEXT NOT NULL, line INTEGER NOT NULL, segment INTEGER NOT NULL,
    id INTEGER NOT NULL, first INTEGER NOT NULL, n INTEGER NOT NULL, code TEXT, clause TEXT, ruling TEXT, places TEXT,
    cards TEXT, whose TEXT, PRIMARY KEY (journal, line, segment, id)
);
CREATE INDEX findings_by_code ON findings (casino, code);
CREATE INDEX findings_by_table ON findings (casino, name);
CREATE TABLE aside (
    journal BLOB NOT NULL, number INTEGER NOT NULL, at TEXT NOT NULL, reason TEXT NOT NULL, n INTEGER NOT NULL,
    detail TEXT NOT NULL, size INTEGER NOT NULL, digest BLOB NOT NULL, data BLOB, PRIMARY KEY (journal, number)
);
CREATE TABLE releases (
    journal BLOB NOT NULL, at TEXT NOT NULL, decision TEXT NOT NULL, person TEXT NOT NULL, second TEXT NOT NULL,
    reason TEXT NOT NULL, PRIMARY KEY (journal, at)
);
CREATE TABLE backups (token TEXT PRIMARY KEY, begun TEXT NOT NULL, done TEXT);
CREATE TABLE backup_marks (
    token TEXT NOT NULL REFERENCES backups (token), journal BLOB NOT NULL, seal_head INTEGER NOT NULL,
    seal_n INTEGER NOT NULL, PRIMARY KEY (token, journal)
);
CREATE TABLE tokens (
    id TEXT PRIMARY KEY, casino TEXT NOT NULL, name TEXT NOT NULL, proof BLOB NOT NULL, made TEXT NOT NULL,
    expires INTEGER NOT NULL, person TEXT NOT NULL, second TEXT NOT NULL, used TEXT
);
