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

-- Statement rows: a gap-free chain per level and pot, each row beginning where the one before it ended,
-- with a gaming day that never goes back, the last one as the level stands (which is stored before its rows).
-- Levels and entries are never removed, so this also stands for foreign keys. No row comes to an entry that is sealed.
CREATE FUNCTION jackpot_check_statement() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    wrong record;
    unknown boolean;
    sealed boolean;
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
    SELECT bool_or(entry.id IS NULL), bool_or(link.id IS NOT NULL) INTO unknown, sealed
      FROM (SELECT DISTINCT entry_id FROM added) AS added
      LEFT JOIN jackpot_entry AS entry ON entry.id = added.entry_id
      LEFT JOIN jackpot_link AS link ON link.lane_id = entry.lane_id AND link.seq = entry.link_seq;
    IF unknown OR EXISTS (SELECT FROM (SELECT DISTINCT level_id, pot FROM added) AS added
                            LEFT JOIN jackpot_level AS level ON level.id = added.level_id
                           WHERE level.id IS NULL OR added.pot NOT IN ('meter', 'reserve', 'overflow')) THEN
        RAISE EXCEPTION 'a statement row names a level, pot or entry that does not exist'
            USING ERRCODE = 'foreign_key_violation', CONSTRAINT = 'statement_of_entry';
    ELSIF sealed THEN
        RAISE EXCEPTION 'a statement row names an entry that is sealed already'
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'statement_in_time';
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

-- (`policies.sql` replaces this: rates may change with a reset in the middle of a batch.)
-- A level's balances and sequence numbers are those of the last row of each pot, whenever a transaction commits. What
-- was contributed and awarded grew by exactly the rows that came; what was wagered and how often it was hit leaves no
-- row of its own where a rate or a meter is zero, so these only never fall, and pay for what was contributed.
CREATE FUNCTION jackpot_check_level() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    wrong text;
    wagered numeric := NEW.wagered - coalesce(OLD.wagered, 0);
    contributed numeric := NEW.contributed - coalesce(OLD.contributed, 0);
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
    IF wagered < 0 OR contributed * 1000000 > wagered * (NEW.increment_ppm + NEW.reserve_ppm)
       OR NEW.hits < coalesce(OLD.hits, 0) OR NEW.reset_seq < coalesce(OLD.reset_seq, 0)
       OR NEW.reset_seq > NEW.meter_seq
       OR (OLD.reset_at IS NOT NULL AND (NEW.reset_at IS NULL OR NEW.reset_at < OLD.reset_at))
       OR ((NEW.reset_seq, NEW.reset_at) IS DISTINCT FROM (coalesce(OLD.reset_seq, 0), OLD.reset_at)
           AND (NEW.meter_seq, NEW.hits) = (coalesce(OLD.meter_seq, 0), coalesce(OLD.hits, 0)))
       OR (contributed, NEW.awarded - coalesce(OLD.awarded, 0)) <> (
            SELECT coalesce(sum(amount) FILTER (WHERE kind = 'contribution'), 0),
                   coalesce(-sum(amount) FILTER (WHERE kind = 'award'), 0)
              FROM jackpot_statementrow
             WHERE level_id = NEW.id
               AND ((pot = 'meter' AND seq > coalesce(OLD.meter_seq, 0) AND seq <= NEW.meter_seq)
                 OR (pot = 'reserve' AND seq > coalesce(OLD.reserve_seq, 0) AND seq <= NEW.reserve_seq)
                 OR (pot = 'overflow' AND seq > coalesce(OLD.overflow_seq, 0) AND seq <= NEW.overflow_seq))) THEN
        RAISE EXCEPTION 'level %: its totals did not grow by what was posted', NEW.id
            USING ERRCODE = 'check_violation', CONSTRAINT = 'level_totals';
    END IF;
    RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER level_equals_statement AFTER INSERT OR UPDATE ON jackpot_level
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION jackpot_check_level();

-- (`policies.sql` replaces this: they change with a reset.)
-- Terms stand as the jackpot was opened with: what is replayed from a reset on was reckoned with them. They will change
-- with a reset; what brings that opens this guard for it.
CREATE FUNCTION jackpot_keep_terms() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'level %: base, rates and limit are never changed', OLD.id
        USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'level_terms';
END $$;

CREATE TRIGGER level_terms BEFORE UPDATE OF base, increment_ppm, reserve_ppm, "limit" ON jackpot_level
    FOR EACH ROW WHEN ((OLD.base, OLD.increment_ppm, OLD.reserve_ppm, OLD."limit")
                       IS DISTINCT FROM (NEW.base, NEW.increment_ppm, NEW.reserve_ppm, NEW."limit"))
    EXECUTE FUNCTION jackpot_keep_terms();

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

-- Sites, jackpots, lanes (and tables, in `rounds.sql` of theirs) keep what account codes are made of and what money is
-- counted in: a name that moved would part the books from what they were kept for.
CREATE FUNCTION jackpot_keep_identity() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% %: what the books know it by is never changed', TG_TABLE_NAME, OLD.id
        USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = TG_NAME;
END $$;

CREATE TRIGGER site_kept BEFORE UPDATE OF id, code ON jackpot_site
    FOR EACH ROW WHEN ((OLD.id, OLD.code) <> (NEW.id, NEW.code)) EXECUTE FUNCTION jackpot_keep_identity();
CREATE TRIGGER jackpot_kept BEFORE UPDATE OF id, code, currency_code, home_site_id ON jackpot_jackpot
    FOR EACH ROW WHEN ((OLD.id, OLD.code, OLD.currency_code, OLD.home_site_id)
                       <> (NEW.id, NEW.code, NEW.currency_code, NEW.home_site_id))
    EXECUTE FUNCTION jackpot_keep_identity();
CREATE TRIGGER lane_kept BEFORE UPDATE OF id, jackpot_id, site_id ON jackpot_lane
    FOR EACH ROW WHEN ((OLD.id, OLD.jackpot_id, OLD.site_id) IS DISTINCT FROM (NEW.id, NEW.jackpot_id, NEW.site_id))
    EXECUTE FUNCTION jackpot_keep_identity();
