-- What each role may do; run at every migration, for the roles that are there. `events` and `records` name cards before
-- they are disclosed: only those who take them in and those who audit read them.
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'td_ingest') THEN
        GRANT SELECT, INSERT ON ALL TABLES IN SCHEMA public TO td_ingest;
        GRANT UPDATE ON journals TO td_ingest;
        GRANT DELETE ON wagers, findings, rounds TO td_ingest;
        REVOKE INSERT ON schema_versions, archive, floor_tables, releases, tokens, backups, backup_marks FROM td_ingest;
        REVOKE EXECUTE ON FUNCTION prepare_month(DATE) FROM PUBLIC;
        GRANT EXECUTE ON FUNCTION prepare_month(DATE) TO td_ingest;
    END IF;
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'td_audit') THEN
        GRANT SELECT ON ALL TABLES IN SCHEMA public TO td_audit;
    END IF;
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'td_floor') THEN
        GRANT SELECT ON floor_tables, journals, rounds, wagers, findings TO td_floor;
    END IF;
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'td_backup') THEN
        GRANT SELECT ON ALL TABLES IN SCHEMA public TO td_backup;
        GRANT INSERT ON backups, backup_marks TO td_backup;
        GRANT UPDATE ON backups TO td_backup;
        GRANT UPDATE (backed_head, backed_n) ON journals TO td_backup;
    END IF;
END $$;
