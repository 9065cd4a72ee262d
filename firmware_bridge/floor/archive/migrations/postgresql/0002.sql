CREATE TABLE starts (
    journal BYTEA NOT NULL, casino TEXT NOT NULL, name TEXT NOT NULL, line BIGINT NOT NULL, n BIGINT NOT NULL, at TEXT,
    boot TEXT, version TEXT, program TEXT, called TEXT, people BIGINT NOT NULL, enrolled_as TEXT, nkey TEXT,
    PRIMARY KEY (journal, line, n)
);
CREATE TABLE rulings (
    journal BYTEA NOT NULL, casino TEXT NOT NULL, name TEXT NOT NULL, line BIGINT NOT NULL, segment BIGINT NOT NULL,
    id BIGINT NOT NULL, first BIGINT NOT NULL, finding BIGINT, n BIGINT NOT NULL, at TEXT, who TEXT, what TEXT,
    person TEXT, role TEXT, PRIMARY KEY (journal, line, segment, id)
);
CREATE INDEX rulings_by_round ON rulings (journal, line, first);
CREATE TABLE alarms (
    journal BYTEA NOT NULL, casino TEXT NOT NULL, name TEXT NOT NULL, line BIGINT NOT NULL, n BIGINT NOT NULL,
    code TEXT NOT NULL, clause TEXT NOT NULL, places TEXT NOT NULL, source TEXT NOT NULL, first BIGINT, at TEXT,
    ruling TEXT, detail TEXT, cleared TEXT, cleared_by TEXT, cleared_role TEXT, cleared_reason TEXT, told TEXT,
    PRIMARY KEY (journal, line, n, code, clause, places)
);
CREATE INDEX alarms_open ON alarms (casino, name, at) WHERE cleared IS NULL;
CREATE INDEX alarms_untold ON alarms (casino, at) WHERE told IS NULL;
CREATE INDEX alarms_by_time ON alarms (casino, at);
CREATE TABLE clearings (
    journal BYTEA NOT NULL, line BIGINT NOT NULL, n BIGINT NOT NULL, place BIGINT NOT NULL, alarm BIGINT NOT NULL,
    code TEXT NOT NULL, clause TEXT NOT NULL, often BIGINT NOT NULL, at TEXT, person TEXT, role TEXT, reason TEXT,
    PRIMARY KEY (journal, line, n, place)
);
CREATE TABLE people_seen (
    journal BYTEA NOT NULL, casino TEXT NOT NULL, name TEXT NOT NULL, line BIGINT NOT NULL, n BIGINT NOT NULL, at TEXT,
    what TEXT NOT NULL, number TEXT NOT NULL, person TEXT NOT NULL, role TEXT NOT NULL, PRIMARY KEY (journal, line, n)
);
CREATE INDEX people_seen_by_number ON people_seen (casino, number, at);
CREATE TABLE devices (
    journal BYTEA NOT NULL, casino TEXT NOT NULL, name TEXT NOT NULL, line BIGINT NOT NULL, n BIGINT NOT NULL, at TEXT,
    device TEXT NOT NULL, serial TEXT NOT NULL, firmware TEXT NOT NULL, PRIMARY KEY (journal, line, n)
);
CREATE INDEX devices_by_serial ON devices (casino, serial, at);
CREATE TABLE shuffles (
    journal BYTEA NOT NULL, casino TEXT NOT NULL, name TEXT NOT NULL, line BIGINT NOT NULL, n BIGINT NOT NULL, at TEXT,
    method TEXT NOT NULL, times BIGINT NOT NULL, serial TEXT NOT NULL, PRIMARY KEY (journal, line, n)
);
CREATE INDEX shuffles_by_time ON shuffles (casino, at);
CREATE TABLE ingesters (
    public BYTEA PRIMARY KEY, name TEXT NOT NULL, added TEXT NOT NULL, commits BIGINT NOT NULL, struck TEXT
);
CREATE TABLE receipts (
    journal BYTEA NOT NULL, epoch TEXT NOT NULL, head BIGINT NOT NULL, n BIGINT NOT NULL, chain BYTEA NOT NULL,
    backed BIGINT NOT NULL, public BYTEA NOT NULL, signature BYTEA NOT NULL, at TEXT NOT NULL, PRIMARY KEY (journal, epoch)
);
CREATE TABLE centre_keys (version BIGINT PRIMARY KEY, document TEXT NOT NULL, made TEXT NOT NULL);
ALTER TABLE aside ADD COLUMN batches BIGINT NOT NULL DEFAULT 1;
ALTER TABLE aside ADD COLUMN total BIGINT NOT NULL DEFAULT 0;
CREATE TABLE rosters (
    casino TEXT NOT NULL, version BIGINT NOT NULL, document BYTEA NOT NULL, person TEXT NOT NULL, second TEXT NOT NULL,
    made TEXT NOT NULL, PRIMARY KEY (casino, version)
);
CREATE TABLE escalations (
    id TEXT PRIMARY KEY, casino TEXT NOT NULL, name TEXT NOT NULL, journal TEXT NOT NULL, n BIGINT NOT NULL,
    code TEXT NOT NULL, ruling TEXT NOT NULL, at TEXT NOT NULL, heard DOUBLE PRECISION NOT NULL, state TEXT NOT NULL,
    due DOUBLE PRECISION NOT NULL, person TEXT, taken TEXT, ended TEXT
);
CREATE INDEX escalations_due ON escalations (state, due) WHERE ended IS NULL;
CREATE TABLE outbox (
    id TEXT PRIMARY KEY, escalation TEXT NOT NULL REFERENCES escalations (id), way TEXT NOT NULL, target TEXT NOT NULL,
    body TEXT NOT NULL, made DOUBLE PRECISION NOT NULL, lease DOUBLE PRECISION NOT NULL, holder TEXT, tries BIGINT NOT NULL,
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
-- Rounds and wagers by month of arrival, as events are. What is there already has arrived before this month.
ALTER TABLE rounds RENAME TO rounds_before;
ALTER TABLE rounds_before RENAME CONSTRAINT rounds_pkey TO rounds_before_pkey;
DROP INDEX rounds_by_table;
DROP INDEX rounds_by_time;
ALTER TABLE wagers RENAME TO wagers_before;
ALTER TABLE wagers_before RENAME CONSTRAINT wagers_pkey TO wagers_before_pkey;
CREATE TABLE rounds (
    journal BYTEA NOT NULL, casino TEXT NOT NULL, name TEXT NOT NULL, line BIGINT NOT NULL, segment BIGINT NOT NULL,
    id BIGINT NOT NULL, number BIGINT, game TEXT, first BIGINT NOT NULL, last BIGINT, began TEXT, ended TEXT,
    outcome TEXT, boxes TEXT, dealer TEXT, shuffler TEXT, arrived DATE NOT NULL,
    PRIMARY KEY (journal, line, first, arrived)
) PARTITION BY RANGE (arrived);
CREATE INDEX rounds_by_table ON rounds (casino, name, began);
CREATE INDEX rounds_by_time ON rounds (casino, began);
CREATE INDEX rounds_by_dealer ON rounds (casino, dealer, began);
CREATE TABLE wagers (
    journal BYTEA NOT NULL, line BIGINT NOT NULL, first BIGINT NOT NULL, place BIGINT NOT NULL, said TEXT NOT NULL,
    stake BIGINT, net BIGINT, arrived DATE NOT NULL, PRIMARY KEY (journal, line, first, place, arrived)
) PARTITION BY RANGE (arrived);
CREATE TABLE rounds_otherwise PARTITION OF rounds DEFAULT;
CREATE TABLE wagers_otherwise PARTITION OF wagers DEFAULT;
CREATE OR REPLACE FUNCTION prepare_month(begins DATE) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
SET search_path FROM CURRENT AS $$
DECLARE
    parted TEXT;
BEGIN
    begins := date_trunc('month', begins);
    FOREACH parted IN ARRAY ARRAY['events', 'rounds', 'wagers'] LOOP
        BEGIN
            EXECUTE format('CREATE TABLE IF NOT EXISTS %I PARTITION OF %I FOR VALUES FROM (%L) TO (%L)',
                parted || '_' || to_char(begins, 'YYYY_MM'), parted, begins, begins + INTERVAL '1 month');
        EXCEPTION WHEN check_violation THEN
            NULL; -- Rows of this month lie in the default partition; they stay there, and an alarm says so.
        END;
    END LOOP;
END $$;
SELECT prepare_month(CURRENT_DATE);
INSERT INTO rounds SELECT *, NULL, NULL, CURRENT_DATE FROM rounds_before;
INSERT INTO wagers SELECT *, CURRENT_DATE FROM wagers_before;
DROP TABLE rounds_before;
DROP TABLE wagers_before;
