-- Closed gaming days: what must never happen to them, refused by PostgreSQL under a name (`ledger.sql` says how).

CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON jackpot_closing
    FOR EACH STATEMENT EXECUTE FUNCTION jackpot_refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON jackpot_potclosing
    FOR EACH STATEMENT EXECUTE FUNCTION jackpot_refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON jackpot_accountclosing
    FOR EACH STATEMENT EXECUTE FUNCTION jackpot_refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON jackpot_unpaidaward
    FOR EACH STATEMENT EXECUTE FUNCTION jackpot_refuse_change();

-- No day is opened before one that is closed: what was entered under it would stand in no closing.
CREATE FUNCTION jackpot_check_day_opened() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM jackpot_gamingday
                WHERE site_id = NEW.site_id AND day > NEW.day AND closed_at IS NOT NULL) THEN
        RAISE EXCEPTION 'gaming day % of site %: a later one is closed', NEW.day, NEW.site_id
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'day_opened_in_order';
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER day_opened_in_order BEFORE INSERT ON jackpot_gamingday
    FOR EACH ROW EXECUTE FUNCTION jackpot_check_day_opened();

-- A closing comes while its day is open, under the day's lock, once no earlier day is; it follows the one before it, and
-- its entry, in the site's own lane and without legs, is that of this day.
CREATE FUNCTION jackpot_check_closing_in() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    closed record;
    entry record;
    last bigint;
BEGIN
    SELECT day.site_id, day.day, day.closed_at, site.code INTO closed
      FROM jackpot_gamingday AS day JOIN jackpot_site AS site ON site.id = day.site_id
     WHERE day.id = NEW.gaming_day_id FOR NO KEY UPDATE OF day;
    IF closed.closed_at IS NOT NULL OR EXISTS (
        SELECT FROM jackpot_gamingday
         WHERE site_id = closed.site_id AND (day < closed.day) = (closed_at IS NULL) AND day <> closed.day) THEN
        RAISE EXCEPTION 'gaming day % of site % is not the first that is open', closed.day, closed.code
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'closing_in_order';
    END IF;
    SELECT closing.id INTO last
      FROM jackpot_closing AS closing JOIN jackpot_gamingday AS day ON day.id = closing.gaming_day_id
     WHERE day.site_id = closed.site_id AND day.day < closed.day ORDER BY day.day DESC LIMIT 1;
    IF NEW.previous_id IS DISTINCT FROM last THEN
        RAISE EXCEPTION 'the closing of % of site % does not follow the last one', closed.day, closed.code
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'closing_follows';
    END IF;
    SELECT booked.kind, booked.source_ref, booked.leg_count, booked.posted_at, lane.site_id INTO entry
      FROM jackpot_entry AS booked JOIN jackpot_lane AS lane ON lane.id = booked.lane_id WHERE booked.id = NEW.entry_id;
    IF (entry.kind, entry.source_ref, entry.leg_count::integer, entry.posted_at, entry.site_id) IS DISTINCT FROM
       ('day_closed', 'day:' || closed.code || ':' || to_char(closed.day, 'YYYY-MM-DD'), 0, NEW.closed_at,
        closed.site_id) THEN
        RAISE EXCEPTION 'entry % does not seal the closing of % of site %', NEW.entry_id, closed.day, closed.code
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'closing_of_entry';
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER closing_in_order BEFORE INSERT ON jackpot_closing
    FOR EACH ROW EXECUTE FUNCTION jackpot_check_closing_in();

-- At commit: no entry says that a day was closed which has no closing; no day is closed without one, at its very time;
-- and none has a closing and is open.
CREATE FUNCTION jackpot_check_entry_closes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM jackpot_closing WHERE entry_id = NEW.id) THEN
        RAISE EXCEPTION 'entry %: it closes a day that has no closing', NEW.id
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'closing_of_entry';
    END IF;
    RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER closing_of_entry AFTER INSERT ON jackpot_entry
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.kind = 'day_closed')
    EXECUTE FUNCTION jackpot_check_entry_closes();

CREATE FUNCTION jackpot_check_day_closed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    named bigint := CASE TG_TABLE_NAME WHEN 'jackpot_closing' THEN (to_jsonb(NEW) ->> 'gaming_day_id')::bigint
                                       ELSE (to_jsonb(NEW) ->> 'id')::bigint END;
BEGIN
    IF (SELECT closed_at FROM jackpot_gamingday WHERE id = named) IS DISTINCT FROM
       (SELECT closed_at FROM jackpot_closing WHERE gaming_day_id = named) THEN
        RAISE EXCEPTION 'gaming day %: a day is closed with its closing, and at the same time', named
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'day_closed_with_closing';
    END IF;
    RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER day_closed_with_closing AFTER UPDATE OF closed_at ON jackpot_gamingday
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION jackpot_check_day_closed();
CREATE CONSTRAINT TRIGGER closing_with_day_closed AFTER INSERT ON jackpot_closing
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION jackpot_check_day_closed();

-- Where a closing's figures are not those of the books: the name of what is broken, and where. Days without a closing
-- (none was ever opened) lie between two closings; what is summed reaches from the one before. The last row of a pot up
-- to the day is the one that the line names: it lies in the day or before, the one behind it does not.
CREATE FUNCTION jackpot_closing_wrong(closing_id bigint) RETURNS TABLE (name text, place text)
LANGUAGE sql STABLE AS $$
    WITH closing AS MATERIALIZED (
        SELECT closing.*, today.site_id, today.day, coalesce(before.day, '-infinity'::date) AS since
          FROM jackpot_closing AS closing JOIN jackpot_gamingday AS today ON today.id = closing.gaming_day_id
          LEFT JOIN jackpot_closing AS last ON last.id = closing.previous_id
          LEFT JOIN jackpot_gamingday AS before ON before.id = last.gaming_day_id
         WHERE closing.id = jackpot_closing_wrong.closing_id),
    counted AS (
        SELECT (SELECT count(*) FROM jackpot_potclosing WHERE closing_of_id = closing.id) AS pots,
               (SELECT count(*) FROM jackpot_accountclosing WHERE closing_of_id = closing.id) AS accounts,
               (SELECT count(*) FROM jackpot_unpaidaward WHERE closing_of_id = closing.id) AS unpaid FROM closing),
    pots AS MATERIALIZED (
        SELECT pot.kind || ':' || jackpot.code || ':' || level.code AS code, line.id AS line_id, line.opening,
               line.closing, line.seq, line.posted_at, old.closing AS old, stated.after, stated.gaming_day > closing.day
               AS stated_later, following.gaming_day <= closing.day AS followed, entry.posted_at AS stated_at
          FROM closing JOIN jackpot_jackpot AS jackpot ON jackpot.home_site_id = closing.site_id
          JOIN jackpot_level AS level ON level.jackpot_id = jackpot.id
         CROSS JOIN (VALUES ('meter'), ('reserve'), ('overflow')) AS pot (kind)
          LEFT JOIN jackpot_potclosing AS line
            ON line.closing_of_id = closing.id AND line.level_id = level.id AND line.pot = pot.kind
          LEFT JOIN jackpot_potclosing AS old
            ON old.closing_of_id = closing.previous_id AND old.level_id = level.id AND old.pot = pot.kind
          LEFT JOIN jackpot_statementrow AS stated
            ON stated.level_id = level.id AND stated.pot = pot.kind AND stated.seq = line.seq
          LEFT JOIN jackpot_statementrow AS following
            ON following.level_id = level.id AND following.pot = pot.kind AND following.seq = coalesce(line.seq, 0) + 1
          LEFT JOIN jackpot_entry AS entry ON entry.id = stated.entry_id),
    booked AS (
        SELECT leg.account_id, sum(leg.amount) FILTER (WHERE leg.amount > 0) AS debits,
               -sum(leg.amount) FILTER (WHERE leg.amount < 0) AS credits
          FROM closing JOIN jackpot_account AS account ON account.site_id = closing.site_id
          JOIN jackpot_leg AS leg ON leg.account_id = account.id
           AND leg.gaming_day > closing.since AND leg.gaming_day <= closing.day GROUP BY leg.account_id),
    accounts AS MATERIALIZED (
        SELECT account.code, line.id AS line_id, line.opening, line.debits, line.credits, line.closing,
               old.closing AS old, booked.debits AS booked_debits, booked.credits AS booked_credits
          FROM closing JOIN jackpot_account AS account ON account.site_id = closing.site_id
          LEFT JOIN jackpot_accountclosing AS line
            ON line.closing_of_id = closing.id AND line.account_id = account.id
          LEFT JOIN jackpot_accountclosing AS old
            ON old.closing_of_id = closing.previous_id AND old.account_id = account.id
          LEFT JOIN booked ON booked.account_id = account.id),
    owed AS (
        SELECT 'awards:' || jackpot.code AS code, sum(line.amount) AS amount,
               bool_or((line.amount, closing.site_id) <> (award.amount, jackpot.home_site_id)
                       OR line.owed_day > closing.day) AS wrong
          FROM closing JOIN jackpot_unpaidaward AS line ON line.closing_of_id = closing.id
          JOIN jackpot_award AS award ON award.id = line.award_id
          JOIN jackpot_jackpot AS jackpot ON jackpot.id = award.jackpot_id GROUP BY jackpot.code)
    SELECT 'closing_complete', 'its lines' FROM closing, counted
     WHERE (closing.pots, closing.accounts, closing.unpaid) <> (counted.pots, counted.accounts, counted.unpaid)
        OR counted.pots <> (SELECT count(line_id) FROM pots) OR counted.accounts <> (SELECT count(line_id) FROM accounts)
    UNION ALL
    SELECT 'closing_follows', code FROM pots WHERE coalesce(opening, 0) <> coalesce(old, 0)
    UNION ALL
    SELECT 'closing_follows', code FROM accounts WHERE coalesce(opening, 0) <> coalesce(old, 0)
    UNION ALL
    SELECT 'closing_as_stated', code FROM pots
     WHERE coalesce(stated_later, seq > 0) OR followed
        OR (coalesce(closing, 0), posted_at) IS DISTINCT FROM (coalesce(after, 0), stated_at)
    UNION ALL
    SELECT 'closing_as_booked', code FROM accounts
     WHERE (coalesce(debits, 0), coalesce(credits, 0)) <> (coalesce(booked_debits, 0), coalesce(booked_credits, 0))
    UNION ALL
    SELECT 'closing_as_booked', code FROM pots LEFT JOIN accounts USING (code)
     WHERE coalesce(pots.closing, 0) <> -coalesce(accounts.closing, 0)
    UNION ALL
    SELECT 'closing_as_owed', code FROM (SELECT * FROM accounts WHERE starts_with(code, 'awards:')) AS accounts
      FULL JOIN owed USING (code)
     WHERE coalesce(owed.wrong, false) OR coalesce(owed.amount, 0) <> -coalesce(accounts.closing, 0)
$$;

-- At commit a closing is complete and says what the books say: its lines are as many as it announced, one for every pot
-- and account that has moved; each opens as the one before closed; pots close as statement and ledger stand, accounts as
-- their legs add up, the awards accounts as their unpaid awards.
CREATE FUNCTION jackpot_check_closing() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    wrong record;
BEGIN
    SELECT * INTO wrong FROM jackpot_closing_wrong(NEW.id) LIMIT 1;
    CASE wrong.name
        WHEN 'closing_complete' THEN
            RAISE EXCEPTION 'closing %: it has other lines than it announced', NEW.id
                USING ERRCODE = 'check_violation', CONSTRAINT = 'closing_complete';
        WHEN 'closing_follows' THEN
            RAISE EXCEPTION 'closing %: % does not open as it closed', NEW.id, wrong.place
                USING ERRCODE = 'check_violation', CONSTRAINT = 'closing_follows';
        WHEN 'closing_as_stated' THEN
            RAISE EXCEPTION 'closing %: % is not what its statement says', NEW.id, wrong.place
                USING ERRCODE = 'check_violation', CONSTRAINT = 'closing_as_stated';
        WHEN 'closing_as_booked' THEN
            RAISE EXCEPTION 'closing %: % is not what the ledger says', NEW.id, wrong.place
                USING ERRCODE = 'check_violation', CONSTRAINT = 'closing_as_booked';
        WHEN 'closing_as_owed' THEN
            RAISE EXCEPTION 'closing %: the unpaid awards are not what % owes', NEW.id, wrong.place
                USING ERRCODE = 'check_violation', CONSTRAINT = 'closing_as_owed';
        ELSE RETURN NULL;
    END CASE;
END $$;

CREATE CONSTRAINT TRIGGER closing_complete AFTER INSERT ON jackpot_closing
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION jackpot_check_closing();

-- No line comes to a closing that has all it announced.
CREATE FUNCTION jackpot_check_closing_lines() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    wrong bigint;
BEGIN
    IF TG_TABLE_NAME = 'jackpot_potclosing' THEN
        SELECT closing.id INTO wrong FROM jackpot_closing AS closing
         WHERE closing.id IN (SELECT closing_of_id FROM added)
           AND closing.pots < (SELECT count(*) FROM jackpot_potclosing WHERE closing_of_id = closing.id) LIMIT 1;
    ELSIF TG_TABLE_NAME = 'jackpot_accountclosing' THEN
        SELECT closing.id INTO wrong FROM jackpot_closing AS closing
         WHERE closing.id IN (SELECT closing_of_id FROM added)
           AND closing.accounts < (SELECT count(*) FROM jackpot_accountclosing WHERE closing_of_id = closing.id) LIMIT 1;
    ELSE
        SELECT closing.id INTO wrong FROM jackpot_closing AS closing
         WHERE closing.id IN (SELECT closing_of_id FROM added)
           AND closing.unpaid < (SELECT count(*) FROM jackpot_unpaidaward WHERE closing_of_id = closing.id) LIMIT 1;
    END IF;
    IF FOUND THEN
        RAISE EXCEPTION 'closing %: it has more lines than it announced', wrong
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'closing_complete';
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER closing_lines AFTER INSERT ON jackpot_potclosing
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION jackpot_check_closing_lines();
CREATE TRIGGER closing_lines AFTER INSERT ON jackpot_accountclosing
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION jackpot_check_closing_lines();
CREATE TRIGGER closing_lines AFTER INSERT ON jackpot_unpaidaward
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION jackpot_check_closing_lines();
