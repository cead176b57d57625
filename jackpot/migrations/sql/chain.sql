-- The chain of a lane: how a link is reckoned, and what must never happen to it (`ledger.sql` says how it is refused).

-- (`award_moves.sql` replaces this: moves of awards are sealed too.)
-- Sealing: a link's digest covers every row of its batch, each field behind its length, in a fixed order, and the
-- previous link. Computed from what is stored, so that what was changed later no longer fits.
CREATE FUNCTION jackpot_sealed_text(VARIADIC fields text[]) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT string_agg(coalesce(length(field) || ':' || field, '-'), ',' ORDER BY n)
      FROM unnest(fields) WITH ORDINALITY AS listed (field, n)
$$;

CREATE FUNCTION jackpot_instant(at timestamptz) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT (extract(epoch FROM at) * 1000000)::bigint::text
$$;

CREATE FUNCTION jackpot_link_digest(in_lane bigint, in_seq bigint, previous bytea) RETURNS bytea LANGUAGE sql STABLE AS $$
    WITH entries AS (SELECT * FROM jackpot_entry WHERE lane_id = in_lane AND link_seq = in_seq),
    sealed (kind, a, b, c, line) AS (
        SELECT 1, id, 0::bigint, 0::bigint,
               jackpot_sealed_text('entry', id::text, kind, source_ref, table_ref, integrator_id::text, leg_count::text,
                   jackpot_instant(event_at), jackpot_instant(posted_at), actor, reason, reverses_id::text,
                   encode(facts_digest, 'hex'))
          FROM entries
        UNION ALL
        SELECT 2, leg.entry_id, leg.position::bigint, 0,
               jackpot_sealed_text('leg', leg.entry_id::text, leg.position::text, leg.account_id::text,
                   leg.amount::text, to_char(leg.gaming_day, 'YYYY-MM-DD'))
          FROM entries JOIN jackpot_leg AS leg ON leg.entry_id = entries.id
        UNION ALL
        SELECT 3, row.level_id, ascii(row.pot)::bigint, row.seq,
               jackpot_sealed_text('row', row.level_id::text, row.pot, row.seq::text, row.kind, row.amount::text,
                   row.before::text, row.after::text, row.entry_id::text, to_char(row.gaming_day, 'YYYY-MM-DD'))
          FROM entries JOIN jackpot_statementrow AS row ON row.entry_id = entries.id
        UNION ALL
        SELECT 4, award.entry_id, award.position::bigint, 0,
               jackpot_sealed_text('award', award.id::text, award.jackpot_id::text, award.entry_id::text,
                   award.position::text, award.kind, award.hit_id::text, award.source_ref::text, award.table_ref,
                   award.box::text, award.player, award.hand, award.amount::text, award.level_id::text,
                   award.policy_id::text, award.meter_before::text, award.meter_after::text, award.reset_to::text,
                   award.seq::text, award.late::text, award.facts::text, jackpot_instant(award.hit_at))
          FROM entries JOIN jackpot_award AS award ON award.entry_id = entries.id
    )
    SELECT sha256(previous || convert_to(jackpot_sealed_text('link', in_lane::text, in_seq::text) || E'\n'
               || coalesce(string_agg(line, E'\n' ORDER BY kind, a, b, c), ''), 'UTF8'))
      FROM sealed
$$;

-- Entries come into the link that their lane seals next, under the lane's lock: without it, one could come in beside a
-- worker who seals that link and does not see it.
CREATE FUNCTION jackpot_check_entries_in() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM jackpot_lane WHERE id IN (SELECT lane_id FROM added) ORDER BY id FOR NO KEY UPDATE;
    IF EXISTS (SELECT FROM (SELECT DISTINCT lane_id, link_seq FROM added) AS added
                 JOIN jackpot_lane AS lane ON lane.id = added.lane_id
                 LEFT JOIN jackpot_link AS link ON link.lane_id = added.lane_id AND link.seq = added.link_seq
                WHERE added.link_seq <> lane.sealed + 1 OR link.id IS NOT NULL) THEN
        RAISE EXCEPTION 'an entry names another link than the one its lane seals next'
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'entry_in_time';
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER entry_in_time AFTER INSERT ON jackpot_entry
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION jackpot_check_entries_in();

-- No entry is committed without its seal, and so none without what is looked at when it is sealed.
CREATE FUNCTION jackpot_check_entry() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM jackpot_link WHERE lane_id = NEW.lane_id AND seq = NEW.link_seq) THEN
        RAISE EXCEPTION 'entry %: its link was never sealed', NEW.id
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'entry_sealed';
    END IF;
    RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER entry_sealed AFTER INSERT ON jackpot_entry
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION jackpot_check_entry();

-- Entries of a link whose legs in a pot's account are not the pot's statement rows, to the unit. A pot's account is
-- `jackpot.domain.accounts.pot_of`; statement rows add to what is owed, so they are credits.
CREATE FUNCTION jackpot_pots_unstated(in_lane bigint, in_seq bigint) RETURNS TABLE (entry_id bigint, code text)
LANGUAGE sql STABLE AS $$
    WITH entries AS MATERIALIZED (SELECT id FROM jackpot_entry WHERE lane_id = in_lane AND link_seq = in_seq)
    SELECT sides.entry_id, sides.code
      FROM (SELECT leg.entry_id, account.code, leg.amount
              FROM entries JOIN jackpot_leg AS leg ON leg.entry_id = entries.id
              JOIN jackpot_account AS account ON account.id = leg.account_id
             WHERE split_part(account.code, ':', 1) IN ('meter', 'reserve', 'overflow')
            UNION ALL
            SELECT row.entry_id, row.pot || ':' || jackpot.code || ':' || level.code, row.amount
              FROM entries JOIN jackpot_statementrow AS row ON row.entry_id = entries.id
              JOIN jackpot_level AS level ON level.id = row.level_id
              JOIN jackpot_jackpot AS jackpot ON jackpot.id = level.jackpot_id) AS sides
     GROUP BY sides.entry_id, sides.code HAVING sum(sides.amount) <> 0
$$;

-- (`award_moves.sql` replaces this: awards are returned too.)
-- Entries of a link whose legs in an awards account are not what their own awards owe, less what they pay: the entry
-- `award_paid` names the award it pays, which is `paid` by then (1 stands for none, so that it never comes out even).
CREATE FUNCTION jackpot_awards_unowed(in_lane bigint, in_seq bigint) RETURNS TABLE (entry_id bigint, code text)
LANGUAGE sql STABLE AS $$
    WITH entries AS MATERIALIZED (SELECT id, kind, source_ref FROM jackpot_entry
                                   WHERE lane_id = in_lane AND link_seq = in_seq),
    owed AS (SELECT entries.id AS entry_id, award.jackpot_id, award.amount
               FROM entries JOIN jackpot_award AS award ON award.entry_id = entries.id
             UNION ALL
             SELECT entries.id, award.jackpot_id, coalesce(-award.amount, 1)
               FROM entries LEFT JOIN jackpot_award AS award
                 ON award.id = substring(entries.source_ref FROM '^award:([0-9a-f-]{36})$')::uuid
                AND award.state = 'paid'
              WHERE entries.kind = 'award_paid')
    SELECT sides.entry_id, sides.code
      FROM (SELECT leg.entry_id, account.code, leg.amount
              FROM entries JOIN jackpot_leg AS leg ON leg.entry_id = entries.id
              JOIN jackpot_account AS account ON account.id = leg.account_id
             WHERE split_part(account.code, ':', 1) = 'awards'
            UNION ALL
            SELECT owed.entry_id, 'awards:' || jackpot.code, owed.amount
              FROM owed LEFT JOIN jackpot_jackpot AS jackpot ON jackpot.id = owed.jackpot_id) AS sides
     GROUP BY sides.entry_id, sides.code HAVING sum(sides.amount) <> 0
$$;

-- A link follows the last one and seals entries that are complete: their legs are there (all of an entry or none come);
-- what they move in a pot's account stands in that pot's statement; what they owe is owed to somebody. Its digest is
-- reckoned here, once; one that is given must be the same.
CREATE FUNCTION jackpot_check_link() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    last record;
    wrong record;
    reckoned bytea;
BEGIN
    SELECT sealed, head INTO last FROM jackpot_lane WHERE id = NEW.lane_id FOR NO KEY UPDATE;
    IF (NEW.seq, NEW.previous) IS DISTINCT FROM (last.sealed + 1, last.head)
       OR NOT EXISTS (SELECT FROM jackpot_entry WHERE lane_id = NEW.lane_id AND link_seq = NEW.seq) THEN
        RAISE EXCEPTION 'link %/% does not follow the last one, or seals nothing', NEW.lane_id, NEW.seq
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'link_follows';
    END IF;
    SELECT id INTO wrong FROM jackpot_entry AS entry
     WHERE lane_id = NEW.lane_id AND link_seq = NEW.seq AND leg_count > 0
       AND NOT EXISTS (SELECT FROM jackpot_leg WHERE entry_id = entry.id) LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'entry %: its legs were announced and did not come', wrong.id
            USING ERRCODE = 'check_violation', CONSTRAINT = 'entry_legs_missing';
    END IF;
    SELECT entry_id, code INTO wrong FROM jackpot_pots_unstated(NEW.lane_id, NEW.seq) LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'entry %: its legs and its statement rows of % differ', wrong.entry_id, wrong.code
            USING ERRCODE = 'check_violation', CONSTRAINT = 'pots_as_stated';
    END IF;
    SELECT entry_id, code INTO wrong FROM jackpot_awards_unowed(NEW.lane_id, NEW.seq) LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'entry %: its legs and its awards of % differ', wrong.entry_id, wrong.code
            USING ERRCODE = 'check_violation', CONSTRAINT = 'awards_as_owed';
    END IF;
    reckoned := jackpot_link_digest(NEW.lane_id, NEW.seq, NEW.previous);
    IF NEW.digest <> reckoned THEN
        RAISE EXCEPTION 'link %/%: its digest is not that of its rows', NEW.lane_id, NEW.seq
            USING ERRCODE = 'check_violation', CONSTRAINT = 'link_digest';
    END IF;
    NEW.digest := reckoned;
    RETURN NEW;
END $$;

CREATE TRIGGER link_seals BEFORE INSERT ON jackpot_link FOR EACH ROW EXECUTE FUNCTION jackpot_check_link();

-- A lane begins without a link, and its head moves from one link to the next: at the commit it is the last one.
CREATE FUNCTION jackpot_check_head() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' OR NEW.sealed <> OLD.sealed + 1
       OR NOT EXISTS (SELECT FROM jackpot_link WHERE lane_id = NEW.id AND seq = NEW.sealed AND digest = NEW.head) THEN
        RAISE EXCEPTION 'lane %: its head is not its last link', NEW.id
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'lane_head';
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER lane_begins AFTER INSERT ON jackpot_lane
    FOR EACH ROW WHEN ((NEW.sealed, NEW.head) <> (0, decode(repeat('00', 32), 'hex')))
    EXECUTE FUNCTION jackpot_check_head();
CREATE TRIGGER lane_head AFTER UPDATE OF sealed, head ON jackpot_lane
    FOR EACH ROW WHEN ((OLD.sealed, OLD.head) <> (NEW.sealed, NEW.head)) EXECUTE FUNCTION jackpot_check_head();

CREATE FUNCTION jackpot_check_link_is_head() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM jackpot_lane WHERE id = NEW.lane_id AND sealed >= NEW.seq) THEN
        RAISE EXCEPTION 'link %/% was never made the head of its lane', NEW.lane_id, NEW.seq
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'link_is_head';
    END IF;
    RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER link_is_head AFTER INSERT ON jackpot_link
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION jackpot_check_link_is_head();
