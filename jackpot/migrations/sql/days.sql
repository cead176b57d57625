-- What must never happen to gaming days, refused by PostgreSQL under a name (`ledger.sql` says how).

-- A closed day, or one never opened, takes nothing more: neither legs (by their account's site) nor statement rows (by
-- their jackpot's home site). The days named are share-locked: who closes one waits for what is entered under it, and
-- what waited for the close sees it.
CREATE FUNCTION jackpot_check_days() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    sites bigint[];
    days date[];
    wrong record;
BEGIN
    IF TG_TABLE_NAME = 'jackpot_leg' THEN
        SELECT array_agg(site_id), array_agg(gaming_day) INTO sites, days
          FROM (SELECT DISTINCT account.site_id, added.gaming_day
                  FROM (SELECT DISTINCT account_id, gaming_day FROM added) AS added
                  JOIN jackpot_account AS account ON account.id = added.account_id) AS named;
    ELSE
        SELECT array_agg(home_site_id), array_agg(gaming_day) INTO sites, days
          FROM (SELECT DISTINCT jackpot.home_site_id, added.gaming_day
                  FROM (SELECT DISTINCT level_id, gaming_day FROM added) AS added
                  JOIN jackpot_level AS level ON level.id = added.level_id
                  JOIN jackpot_jackpot AS jackpot ON jackpot.id = level.jackpot_id) AS named;
    END IF;
    PERFORM FROM jackpot_gamingday AS stored
      WHERE (stored.site_id, stored.day) IN (SELECT * FROM unnest(sites, days))
      ORDER BY stored.site_id, stored.day FOR SHARE;
    SELECT named.site_id, named.day INTO wrong
      FROM unnest(sites, days) AS named (site_id, day)
      LEFT JOIN jackpot_gamingday AS stored
        ON stored.site_id = named.site_id AND stored.day = named.day AND stored.closed_at IS NULL
     WHERE stored.id IS NULL LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'gaming day % of site % is closed, or was never opened', wrong.day, wrong.site_id
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'day_is_open';
    END IF;
    RETURN NULL;
END $$;

-- Named to come after `legs_balance` and `statement_chain`: triggers fire in the order of their names.
CREATE TRIGGER under_open_day AFTER INSERT ON jackpot_leg
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION jackpot_check_days();
CREATE TRIGGER under_open_day AFTER INSERT ON jackpot_statementrow
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION jackpot_check_days();

-- A day begins open and is closed once: never opened again, never another day, never removed.
CREATE FUNCTION jackpot_keep_day() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% of gaming days: a day begins open, is closed once, and stays', TG_OP
        USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'gaming_day_kept';
END $$;

CREATE TRIGGER gaming_day_begins BEFORE INSERT ON jackpot_gamingday
    FOR EACH ROW WHEN (NEW.closed_at IS NOT NULL) EXECUTE FUNCTION jackpot_keep_day();
CREATE TRIGGER gaming_day_kept BEFORE UPDATE ON jackpot_gamingday
    FOR EACH ROW WHEN ((OLD.id, OLD.site_id, OLD.day, OLD.opened_at) <> (NEW.id, NEW.site_id, NEW.day, NEW.opened_at)
                       OR (OLD.closed_at IS NOT NULL AND OLD.closed_at IS DISTINCT FROM NEW.closed_at))
    EXECUTE FUNCTION jackpot_keep_day();
CREATE TRIGGER gaming_day_stays BEFORE DELETE OR TRUNCATE ON jackpot_gamingday
    FOR EACH STATEMENT EXECUTE FUNCTION jackpot_keep_day();
