CREATE TABLE archive (kind TEXT NOT NULL, epoch TEXT NOT NULL);
CREATE TABLE floor_tables (
    casino TEXT NOT NULL, name TEXT NOT NULL, nkey TEXT NOT NULL, added TEXT NOT NULL, PRIMARY KEY (casino, name)
);
CREATE TABLE journals (
    id BYTEA PRIMARY KEY, casino TEXT NOT NULL, name TEXT NOT NULL, root BYTEA NOT NULL, added TEXT NOT NULL,
    state TEXT NOT NULL, reason TEXT NOT NULL, line BIGINT NOT NULL, segment BIGINT NOT NULL, n BIGINT NOT NULL,
    chain BYTEA NOT NULL, records BIGINT NOT NULL, digest BYTEA NOT NULL, head BIGINT NOT NULL,
    seal_head BIGINT NOT NULL, seal_n BIGINT NOT NULL, seal_chain BYTEA NOT NULL, segment_key BYTEA NOT NULL,
    edition BIGINT NOT NULL, loose BIGINT NOT NULL, backed_head BIGINT NOT NULL, backed_n BIGINT NOT NULL,
    FOREIGN KEY (casino, name) REFERENCES floor_tables (casino, name)
);
CREATE TABLE segments (
    journal BYTEA NOT NULL, line BIGINT NOT NULL, segment BIGINT NOT NULL, first BIGINT NOT NULL,
    edition BIGINT NOT NULL, segment_key BYTEA NOT NULL, said TEXT NOT NULL, PRIMARY KEY (journal, line, segment)
);
CREATE TABLE events (
    journal BYTEA NOT NULL, line BIGINT NOT NULL, n BIGINT NOT NULL, arrived DATE NOT NULL, segment BIGINT NOT NULL,
    at TEXT, kind TEXT, device TEXT, person TEXT, chain BYTEA NOT NULL, data BYTEA NOT NULL,
    PRIMARY KEY (journal, line, n, arrived)
) PARTITION BY RANGE (arrived);
CREATE TABLE records (
    journal BYTEA NOT NULL, line BIGINT NOT NULL, segment BIGINT NOT NULL, number BIGINT NOT NULL, data BYTEA NOT NULL,
    PRIMARY KEY (journal, line, segment, number)
);
CREATE TABLE heads (
    journal BYTEA NOT NULL, line BIGINT NOT NULL, segment BIGINT NOT NULL, number BIGINT NOT NULL, n BIGINT NOT NULL,
    data BYTEA NOT NULL, PRIMARY KEY (journal, line, segment, number)
);
CREATE TABLE rounds (
    journal BYTEA NOT NULL, casino TEXT NOT NULL, name TEXT NOT NULL, line BIGINT NOT NULL, segment BIGINT NOT NULL,
    id BIGINT NOT NULL, number BIGINT, game TEXT, first BIGINT NOT NULL, last BIGINT, began TEXT, ended TEXT,
    outcome TEXT, boxes TEXT, PRIMARY KEY (journal, line, first)
);
CREATE INDEX rounds_by_table ON rounds (casino, name, began);
CREATE INDEX rounds_by_time ON rounds (casino, began);
CREATE TABLE wagers (
    journal BYTEA NOT NULL, line BIGINT NOT NULL, first BIGINT NOT NULL, place BIGINT NOT NULL, said TEXT NOT NULL,
    stake BIGINT, net BIGINT, PRIMARY KEY (journal, line, first, place)
);
CREATE TABLE findings (
    journal BYTEA NOT NULL, casino TEXT NOT NULL, name TEXT NOT NULL, line BIGINT NOT NULL, segment BIGINT NOT NULL,
    id BIGINT NOT NULL, first BIGINT NOT NULL, n BIGINT NOT NULL, code TEXT, clause TEXT, ruling TEXT, places TEXT,
    cards TEXT, whose TEXT, PRIMARY KEY (journal, line, segment, id)
);
CREATE INDEX findings_by_code ON findings (casino, code);
CREATE INDEX findings_by_table ON findings (casino, name);
CREATE TABLE aside (
    journal BYTEA NOT NULL, number BIGINT NOT NULL, at TEXT NOT NULL, reason TEXT NOT NULL, n BIGINT NOT NULL,
    detail TEXT NOT NULL, size BIGINT NOT NULL, digest BYTEA NOT NULL, data BYTEA, PRIMARY KEY (journal, number)
);
CREATE TABLE releases (
    journal BYTEA NOT NULL, at TEXT NOT NULL, decision TEXT NOT NULL, person TEXT NOT NULL, second TEXT NOT NULL,
    reason TEXT NOT NULL, PRIMARY KEY (journal, at)
);
CREATE TABLE backups (token TEXT PRIMARY KEY, begun TEXT NOT NULL, done TEXT);
CREATE TABLE backup_marks (
    token TEXT NOT NULL REFERENCES backups (token), journal BYTEA NOT NULL, seal_head BIGINT NOT NULL,
    seal_n BIGINT NOT NULL, PRIMARY KEY (token, journal)
);
CREATE TABLE events_otherwise PARTITION OF events DEFAULT;
-- Whoever takes journals in may not make tables; this makes the one that the month needs, and nothing else.
CREATE FUNCTION prepare_month(begins DATE) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
    begins := date_trunc('month', begins);
    EXECUTE format('CREATE TABLE IF NOT EXISTS %I PARTITION OF events FOR VALUES FROM (%L) TO (%L)',
        'events_' || to_char(begins, 'YYYY_MM'), begins, begins + INTERVAL '1 month');
END $$;
CREATE TABLE tokens (
    id TEXT PRIMARY KEY, casino TEXT NOT NULL, name TEXT NOT NULL, proof BYTEA NOT NULL, made TEXT NOT NULL,
    expires BIGINT NOT NULL, person TEXT NOT NULL, second TEXT NOT NULL, used TEXT
);
