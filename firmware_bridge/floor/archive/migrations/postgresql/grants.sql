-- What each role may do; run at every migration, for the roles that are there. `events`, `records` and `aside` name
-- cards before they are disclosed: only those who take them in and those who audit read them. The door and those who
-- release a journal see neither cards nor wagers.
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'td_ingest') THEN
        GRANT SELECT, INSERT ON ALL TABLES IN SCHEMA public TO td_ingest;
        GRANT UPDATE ON journals, alarms, receipts, aside TO td_ingest;
        GRANT UPDATE (commits) ON ingesters TO td_ingest;
        GRANT DELETE ON wagers, findings, rounds, rulings, alarms TO td_ingest;
        REVOKE INSERT ON schema_versions, archive, floor_tables, releases, tokens, backups, backup_marks, rosters,
            escalations, outbox, views, centre_keys FROM td_ingest;
        REVOKE EXECUTE ON FUNCTION prepare_month(DATE) FROM PUBLIC;
        GRANT EXECUTE ON FUNCTION prepare_month(DATE) TO td_ingest;
    END IF;
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'td_audit') THEN
        GRANT SELECT ON ALL TABLES IN SCHEMA public TO td_audit;
    END IF;
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'td_floor') THEN
        GRANT SELECT ON schema_versions, archive, floor_tables, journals, starts, rounds, wagers, findings, rulings,
            alarms, people_seen, devices, shuffles, releases, receipts, ingesters, centre_keys TO td_floor;
        GRANT SELECT, INSERT, UPDATE ON escalations, outbox TO td_floor;
        GRANT SELECT, INSERT ON rosters TO td_floor;
        GRANT SELECT, INSERT, UPDATE, DELETE ON views TO td_floor;
    END IF;
    -- `truedeal floor door`, `token` and `release`.
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'td_door') THEN
        GRANT SELECT ON schema_versions, archive, floor_tables, journals, tokens, releases, ingesters, alarms,
            centre_keys TO td_door;
        GRANT INSERT ON floor_tables, journals, tokens, releases, centre_keys TO td_door;
        GRANT UPDATE (nkey) ON floor_tables TO td_door;
        GRANT UPDATE (used) ON tokens TO td_door;
        GRANT UPDATE (state, reason) ON journals TO td_door;
        GRANT UPDATE (struck) ON ingesters TO td_door;
        GRANT UPDATE (cleared, cleared_by, cleared_role, cleared_reason) ON alarms TO td_door;
    END IF;
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'td_backup') THEN
        GRANT SELECT ON ALL TABLES IN SCHEMA public TO td_backup;
        GRANT INSERT ON backups, backup_marks TO td_backup;
        GRANT UPDATE ON backups TO td_backup;
        GRANT UPDATE (backed_head, backed_n) ON journals TO td_backup;
    END IF;
END $$;
