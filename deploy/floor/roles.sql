-- The roles of the archive, made once by an administrator of the PostgreSQL server; none can log in before it is given a
-- password or a way to prove itself. What each may do `truedeal floor migrate` grants.
DO $$
DECLARE
    role TEXT;
BEGIN
    FOREACH role IN ARRAY ARRAY['td_owner', 'td_ingest', 'td_floor', 'td_door', 'td_audit', 'td_backup'] LOOP
        IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = role) THEN
            EXECUTE format('CREATE ROLE %I NOLOGIN', role);
        END IF;
    END LOOP;
END $$;
