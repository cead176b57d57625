-- Moves of awards: what must never happen to them, and how they are sealed (`ledger.sql` says how it is refused).

CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON jackpot_awardmove
    FOR EACH STATEMENT EXECUTE FUNCTION jackpot_refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON jackpot_answeredrequest
    FOR EACH STATEMENT EXECUTE FUNCTION jackpot_refuse_change();

-- (`corrections.sql` replaces this: only a correction withdraws.)
-- A move begins where its award stands, and comes before its entry is sealed: a payment or return with the entry that
-- posts it, everything else with an entry that only records it. A decision changes the state once as many people as
-- the award's policy asks for have taken it, none of whom entered the round (`award_decided_once` keeps them apart). An
-- Envy is paid or withdrawn on its own; in all else it does what its hit did.
CREATE FUNCTION jackpot_check_award_move() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    award record;
    entry record;
    earlier record;
    needed integer;
    decision boolean := NEW.move IN ('approve', 'uphold', 'reject');
    changes boolean := NEW.before <> NEW.state;
BEGIN
    SELECT id, state, kind, hit_id, entry_id, policy_id INTO award
      FROM jackpot_award WHERE id = NEW.award_id FOR NO KEY UPDATE;
    SELECT count(*) AS moves, count(*) FILTER (WHERE before <> state) AS stage,
           count(*) FILTER (WHERE move = NEW.move AND stage = NEW.stage) AS approvals INTO earlier
      FROM jackpot_awardmove WHERE award_id = NEW.award_id;
    IF (NEW.before, NEW.number, NEW.stage) IS DISTINCT FROM (award.state, earlier.moves + 1, earlier.stage) THEN
        RAISE EXCEPTION 'award %: its move % does not follow the one before it', NEW.award_id, NEW.number
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'award_move_follows';
    END IF;

    SELECT coalesce((document ->> 'approvals')::integer, 2) INTO needed
      FROM jackpot_policyversion WHERE id = award.policy_id;
    IF (NOT decision AND (NOT changes OR (NEW.approvals <> 0)))
       OR (decision AND award.kind = 'hit' AND (NEW.approvals, changes) IS DISTINCT FROM
           (earlier.approvals + 1, earlier.approvals + 1 >= needed))
       OR (decision AND EXISTS (SELECT FROM jackpot_entry
                                 WHERE id = award.entry_id AND actor = 'user:' || NEW.user_id)) THEN
        RAISE EXCEPTION 'award %: % needs % people who did not enter its round', NEW.award_id, NEW.move, needed
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'award_approvals';
    END IF;
    IF award.kind = 'envy' AND NEW.move NOT IN ('pay', 'withdraw') AND NOT EXISTS (
        SELECT FROM jackpot_awardmove AS hit WHERE hit.award_id = award.hit_id
           AND (hit.move, hit.before, hit.state, hit.approvals, hit.user_id, hit.key_id, hit.at) IS NOT DISTINCT FROM
               (NEW.move, NEW.before, NEW.state, NEW.approvals, NEW.user_id, NEW.key_id, NEW.at)) THEN
        RAISE EXCEPTION 'award %: its hit made no such move', NEW.award_id
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'envy_with_its_hit';
    END IF;

    SELECT kind, source_ref, link.id IS NOT NULL AS sealed INTO entry
      FROM jackpot_entry LEFT JOIN jackpot_link AS link
        ON link.lane_id = jackpot_entry.lane_id AND link.seq = jackpot_entry.link_seq
     WHERE jackpot_entry.id = NEW.entry_id;
    IF entry.sealed OR (CASE
       WHEN changes AND NEW.state = 'paid' THEN
            (entry.kind, entry.source_ref) IS DISTINCT FROM ('award_paid', 'award:' || NEW.award_id)
       WHEN changes AND NEW.state = 'rejected' THEN
            (entry.kind, entry.source_ref) IS DISTINCT FROM ('award_returned', 'award:' || NEW.award_id)
       WHEN changes AND NEW.state = 'withdrawn' THEN false
       ELSE entry.kind IS DISTINCT FROM 'award_move' END) THEN
        RAISE EXCEPTION 'award %: entry % does not post or record its move, or is sealed', NEW.award_id, NEW.entry_id
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'award_move_of_entry';
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER award_move_follows BEFORE INSERT ON jackpot_awardmove
    FOR EACH ROW EXECUTE FUNCTION jackpot_check_award_move();

-- An award stands as its last move left it, whenever a transaction commits: no state changes without a move.
CREATE FUNCTION jackpot_check_award_moved() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    moved uuid := CASE TG_TABLE_NAME WHEN 'jackpot_award' THEN to_jsonb(NEW) ->> 'id'
                                     ELSE to_jsonb(NEW) ->> 'award_id' END;
BEGIN
    IF (SELECT state FROM jackpot_award WHERE id = moved) IS DISTINCT FROM
       (SELECT state FROM jackpot_awardmove WHERE award_id = moved ORDER BY number DESC LIMIT 1) THEN
        RAISE EXCEPTION 'award %: it does not stand as its last move left it', moved
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'award_as_moved';
    END IF;
    RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER award_as_moved AFTER INSERT ON jackpot_awardmove
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION jackpot_check_award_moved();
CREATE CONSTRAINT TRIGGER award_moved AFTER UPDATE OF state ON jackpot_award
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION jackpot_check_award_moved();

-- (`corrections.sql` replaces this: what a correction carries over is sealed too.)
-- As in `chain.sql`, with the moves that a batch records. Links that were sealed before have none, and stay valid.
CREATE OR REPLACE FUNCTION jackpot_link_digest(in_lane bigint, in_seq bigint, previous bytea) RETURNS bytea
LANGUAGE sql STABLE AS $$
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
        UNION ALL
        SELECT 5, move.entry_id, move.id, 0,
               jackpot_sealed_text('move', move.id::text, move.award_id::text, move.number::text, move.move,
                   move.before, move.state, move.stage::text, move.approvals::text, move.user_id::text,
                   move.key_id::text, move.note, jackpot_instant(move.at), move.entry_id::text)
          FROM entries JOIN jackpot_awardmove AS move ON move.entry_id = entries.id
    )
    SELECT sha256(previous || convert_to(jackpot_sealed_text('link', in_lane::text, in_seq::text) || E'\n'
               || coalesce(string_agg(line, E'\n' ORDER BY kind, a, b, c), ''), 'UTF8'))
      FROM sealed
$$;

-- (`corrections.sql` replaces this: awards are withdrawn too.)
-- As in `chain.sql`, with the entry `award_returned`, whose award is `rejected` by then.
CREATE OR REPLACE FUNCTION jackpot_awards_unowed(in_lane bigint, in_seq bigint)
RETURNS TABLE (entry_id bigint, code text) LANGUAGE sql STABLE AS $$
    WITH entries AS MATERIALIZED (SELECT id, kind, source_ref FROM jackpot_entry
                                   WHERE lane_id = in_lane AND link_seq = in_seq),
    owed AS (SELECT entries.id AS entry_id, award.jackpot_id, award.amount
               FROM entries JOIN jackpot_award AS award ON award.entry_id = entries.id
             UNION ALL
             SELECT entries.id, award.jackpot_id, coalesce(-award.amount, 1)
               FROM entries LEFT JOIN jackpot_award AS award
                 ON award.id = substring(entries.source_ref FROM '^award:([0-9a-f-]{36})$')::uuid
                AND award.state = CASE entries.kind WHEN 'award_paid' THEN 'paid' ELSE 'rejected' END
              WHERE entries.kind IN ('award_paid', 'award_returned'))
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
