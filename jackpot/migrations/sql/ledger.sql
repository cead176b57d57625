-- What must never happen to the books, refused by PostgreSQL under a name.
--
-- Every guard raises with ERRCODE integrity_constraint_violation (23000) or check_violation and a CONSTRAINT name, so
-- that callers and tests tell them apart. Statement-level triggers look at the whole set a statement wrote.

CREATE FUNCTION jackpot_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% of %: rows are never changed or removed', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = TG_TABLE_NAME || '_append_only';
END $$;

CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON jackpot_entry
    FOR EACH STATEMENT EXECUTE FUNCTION jackpot_refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON jackpot_leg
    FOR EACH STATEMENT EXECUTE FUNCTION jackpot_refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON jackpot_statementrow
    FOR EACH STATEMENT EXECUTE FUNCTION jackpot_refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON jackpot_link
    FOR EACH STATEMENT EXECUTE FUNCTION jackpot_refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON jackpot_account
    FOR EACH STATEMENT EXECUTE FUNCTION jackpot_refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON jackpot_policyversion
    FOR EACH STATEMENT EXECUTE FUNCTION jackpot_refuse_change();

-- Legs: all of an entry in one statement, as many as the entry says, numbered from 1, adding up to zero.
-- Their foreign keys are checked here too, for the set instead of row by row: entries and accounts are append-only.
CREATE FUNCTION jackpot_check_legs() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    wrong bigint;
BEGIN
    SELECT legs.entry_id INTO wrong
      FROM (SELECT entry_id, sum(amount) AS total, count(*) AS legs, min(position) AS low, max(position) AS high
              FROM added GROUP BY entry_id) AS legs
      LEFT JOIN jackpot_entry AS entry ON entry.id = legs.entry_id
     WHERE entry.id IS NULL OR legs.total <> 0 OR legs.legs <> entry.leg_count OR low <> 1 OR high <> entry.leg_count
     LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'legs of entry %: they must come at once, be complete and add up to zero', wrong
            USING ERRCODE = 'check_violation', CONSTRAINT = 'legs_balance';
    END IF;
    SELECT added.account_id INTO wrong
      FROM (SELECT DISTINCT account_id FROM added) AS added
      LEFT JOIN jackpot_account AS account ON account.id = added.account_id
     WHERE account.id IS NULL LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'there is no account %', wrong
            USING ERRCODE = 'foreign_key_violation', CONSTRAINT = 'leg_account_exists';
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER legs_balance AFTER INSERT ON jackpot_leg
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION jackpot_check_legs();

-- A reversal is never reversed; what was right after all is posted anew.
CREATE FUNCTION jackpot_check_reversal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM jackpot_entry WHERE id = NEW.reverses_id AND reverses_id IS NOT NULL) THEN
        RAISE EXCEPTION 'entry % reverses another one; post a new entry instead', NEW.reverses_id
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'reversal_reversed';
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER reversal_reversed BEFORE INSERT ON jackpot_entry
    FOR EACH ROW WHEN (NEW.reverses_id IS NOT NULL) EXECUTE FUNCTION jackpot_check_reversal();

-- An entry whose legs never came is refused when it would be committed.
CREATE FUNCTION jackpot_check_entry() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.leg_count <> (SELECT count(*) FROM jackpot_leg WHERE entry_id = NEW.id) THEN
        RAISE EXCEPTION 'entry %: % legs were announced and did not come', NEW.id, NEW.leg_count
            USING ERRCODE = 'check_violation', CONSTRAINT = 'entry_legs_missing';
    END IF;
    RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER entry_legs_missing AFTER INSERT ON jackpot_entry
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION jackpot_check_entry();

-- Statement rows: a gap-free chain per level and pot, each row beginning where the one before it ended,
-- with a gaming day that never goes back, the last one as the level stands (which is stored before its rows).
-- Levels and entries are never removed, so this also stands for foreign keys.
CREATE FUNCTION jackpot_check_statement() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    wrong record;
BEGIN
    -- Each row against the one before it in the same statement; the first of each pot against the last one stored.
    SELECT chained.level_id, chained.pot, chained.seq INTO wrong
      FROM (SELECT level_id, pot, seq, before, gaming_day, lag(seq) OVER chain AS last_seq,
                   lag(after) OVER chain AS last_after, lag(gaming_day) OVER chain AS last_day
              FROM added WINDOW chain AS (PARTITION BY level_id, pot ORDER BY seq)) AS chained
     WHERE chained.last_seq <> chained.seq - 1 OR chained.last_after <> chained.before
        OR chained.last_day > chained.gaming_day
     LIMIT 1;
    IF NOT FOUND THEN
        SELECT head.level_id, head.pot, head.seq INTO wrong
          FROM (SELECT DISTINCT ON (level_id, pot) * FROM added ORDER BY level_id, pot, seq) AS head
         CROSS JOIN LATERAL (SELECT max(seq) AS seq, max(after) AS after, max(gaming_day) AS gaming_day
                               FROM jackpot_statementrow AS stored
                              WHERE stored.level_id = head.level_id AND stored.pot = head.pot
                                AND stored.seq = head.seq - 1) AS stored
         WHERE coalesce(stored.seq, 0) <> head.seq - 1 OR coalesce(stored.after, 0) <> head.before
            OR stored.gaming_day > head.gaming_day
         LIMIT 1;
    END IF;
    IF FOUND THEN
        RAISE EXCEPTION 'statement of level %, %: row % does not follow the one before it', wrong.level_id, wrong.pot,
            wrong.seq USING ERRCODE = 'check_violation', CONSTRAINT = 'statement_chain';
    END IF;
    IF EXISTS (SELECT FROM (SELECT DISTINCT level_id, pot FROM added) AS added
                 LEFT JOIN jackpot_level AS level ON level.id = added.level_id
                WHERE level.id IS NULL OR added.pot NOT IN ('meter', 'reserve', 'overflow'))
       OR EXISTS (SELECT FROM (SELECT DISTINCT entry_id FROM added) AS added
                    LEFT JOIN jackpot_entry AS entry ON entry.id = added.entry_id WHERE entry.id IS NULL) THEN
        RAISE EXCEPTION 'a statement row names a level, pot or entry that does not exist'
            USING ERRCODE = 'foreign_key_violation', CONSTRAINT = 'statement_of_entry';
    END IF;
    SELECT added.level_id, added.pot, added.seq INTO wrong
      FROM (SELECT DISTINCT ON (level_id, pot) level_id, pot, seq, after FROM added
             ORDER BY level_id, pot, seq DESC) AS added
      JOIN jackpot_level AS level ON level.id = added.level_id
     WHERE (added.seq, added.after) IS DISTINCT FROM CASE added.pot
           WHEN 'meter' THEN (level.meter_seq, level.meter) WHEN 'reserve' THEN (level.reserve_seq, level.reserve)
           ELSE (level.overflow_seq, level.overflow) END
     LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'statement of level %, %: row % is not what the level says', wrong.level_id, wrong.pot,
            wrong.seq USING ERRCODE = 'check_violation', CONSTRAINT = 'statement_equals_level';
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER statement_chain AFTER INSERT ON jackpot_statementrow
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION jackpot_check_statement();

-- A level's balances and sequence numbers are those of the last row of each pot, whenever a transaction commits.
CREATE FUNCTION jackpot_check_level() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    wrong text;
BEGIN
    SELECT expected.pot INTO wrong
      FROM jackpot_level AS level
     CROSS JOIN LATERAL (VALUES ('meter', level.meter, level.meter_seq), ('reserve', level.reserve, level.reserve_seq),
                                ('overflow', level.overflow, level.overflow_seq)) AS expected (pot, balance, seq)
      LEFT JOIN LATERAL (SELECT after, seq FROM jackpot_statementrow AS statement
                          WHERE statement.level_id = level.id AND statement.pot = expected.pot
                          ORDER BY seq DESC LIMIT 1) AS last ON true
     WHERE level.id = NEW.id
       AND (coalesce(last.after, 0) <> expected.balance OR coalesce(last.seq, 0) <> expected.seq)
     LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'level %: its % is not what the statement says', NEW.id, wrong
            USING ERRCODE = 'check_violation', CONSTRAINT = 'level_equals_statement';
    END IF;
    RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER level_equals_statement AFTER INSERT OR UPDATE ON jackpot_level
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION jackpot_check_level();

CREATE FUNCTION jackpot_keep_level() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'a level is never removed or moved to another jackpot'
        USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'level_kept';
END $$;

CREATE TRIGGER level_kept BEFORE DELETE OR TRUNCATE ON jackpot_level
    FOR EACH STATEMENT EXECUTE FUNCTION jackpot_keep_level();
CREATE TRIGGER level_not_moved BEFORE UPDATE OF id, jackpot_id, code ON jackpot_level
    FOR EACH ROW WHEN (OLD.id <> NEW.id OR OLD.jackpot_id <> NEW.jackpot_id OR OLD.code <> NEW.code)
    EXECUTE FUNCTION jackpot_keep_level();

-- Awards: everything but the state is frozen at the hit, and the state moves as `jackpot.domain.award` allows.
CREATE FUNCTION jackpot_check_award() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (to_jsonb(OLD) - 'state') <> (to_jsonb(NEW) - 'state') THEN
        RAISE EXCEPTION 'award %: what was frozen at the hit is never changed', OLD.id
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'award_frozen';
    END IF;
    IF OLD.state <> NEW.state AND (OLD.state, NEW.state) NOT IN (
        ('pending', 'approved'), ('approved', 'paid'), ('pending', 'disputed'), ('approved', 'disputed'),
        ('disputed', 'approved'), ('disputed', 'rejected'), ('pending', 'withdrawn'),
        ('approved', 'withdrawn'), ('disputed', 'withdrawn')) THEN
        RAISE EXCEPTION 'award %: % does not become %', OLD.id, OLD.state, NEW.state
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'award_moves';
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER award_frozen BEFORE UPDATE ON jackpot_award
    FOR EACH ROW EXECUTE FUNCTION jackpot_check_award();
CREATE TRIGGER award_append_only BEFORE DELETE OR TRUNCATE ON jackpot_award
    FOR EACH STATEMENT EXECUTE FUNCTION jackpot_refuse_change();
