-- A sandbox never touches a live jackpot, nor a live table that of a sandbox: the sites of both say which they are.
CREATE FUNCTION tables_check_sandbox() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (
        SELECT FROM jackpot_jackpot AS jackpot
          JOIN jackpot_site AS home ON home.id = jackpot.home_site_id
          JOIN jackpot_site AS site ON site.id = NEW.site_id AND site.sandbox <> home.sandbox
         WHERE jackpot.id = NEW.jackpot_id
    ) THEN
        RAISE EXCEPTION 'table %: a sandbox site and a live jackpot, or the other way round', NEW.code
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'sandbox_apart';
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER sandbox_apart AFTER INSERT OR UPDATE OF jackpot_id, site_id ON tables_table
    FOR EACH ROW WHEN (NEW.jackpot_id IS NOT NULL) EXECUTE FUNCTION tables_check_sandbox();

CREATE TRIGGER sandbox_kept BEFORE UPDATE OF sandbox ON jackpot_site
    FOR EACH ROW WHEN (OLD.sandbox <> NEW.sandbox) EXECUTE FUNCTION jackpot_keep_identity();
