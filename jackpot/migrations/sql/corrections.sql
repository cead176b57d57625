-- Corrections of settled rounds: what must never happen to them, and how they are sealed (`ledger.sql` says how it is
-- refused).

CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON jackpot_carriedaward
    FOR EACH STATEMENT EXECUTE FUNCTION jackpot_refuse_change();

-- An award of an earlier version stands in a later one of the same round, for no more than it is worth, and is said to
-- before that version's settlement is sealed. What is withdrawn or rejected stands for nothing.
CREATE FUNCTION jackpot_check_carried() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (
        SELECT FROM jackpot_award AS award
          JOIN jackpot_entry AS entry ON entry.id = NEW.entry_id AND entry.kind IN ('settlement', 'void')
           AND starts_with(entry.source_ref, 'round:' || award.source_ref || ':v') AND entry.id > award.entry_id
          LEFT JOIN jackpot_link AS link ON link.lane_id = entry.lane_id AND link.seq = entry.link_seq
         WHERE award.id = NEW.award_id AND award.amount >= NEW.amount AND NEW.amount >= 0
           AND award.state NOT IN ('withdrawn', 'rejected') AND link.id IS NULL) THEN
        RAISE EXCEPTION 'award % does not stand in entry %', NEW.award_id, NEW.entry_id
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'award_carried';
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER award_carried BEFORE INSERT ON jackpot_carriedaward
    FOR EACH ROW EXECUTE FUNCTION jackpot_check_carried();

-- A difference is added to what was paid at the same box of the same round, and to nothing else.
CREATE FUNCTION jackpot_check_difference() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM jackpot_award AS paid
                    WHERE paid.id = NEW.difference_of_id AND paid.state = 'paid' AND paid.entry_id <> NEW.entry_id
                      AND (paid.source_ref, paid.box, paid.kind) = (NEW.source_ref, NEW.box, NEW.kind)) THEN
        RAISE EXCEPTION 'award %: it is no difference of award %', NEW.id, NEW.difference_of_id
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'award_difference';
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER award_difference BEFORE INSERT ON jackpot_award
    FOR EACH ROW WHEN (NEW.difference_of_id IS NOT NULL) EXECUTE FUNCTION jackpot_check_difference();

-- No entry takes another one back, and no version follows the first, without the approved correction of its round; that
-- is sealed in the same link, takes back the version it was asked about and nothing else, and stands there alone.
CREATE FUNCTION jackpot_check_corrections() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    asked record;
    wrong bigint;
BEGIN
    SELECT request.id, 'change:' || request.id AS ref, request.subject,
           request.subject || ':v' || (request.document ->> 'version') AS was,
           request.subject || ':v' || ((request.document ->> 'version')::integer + 1) AS becomes INTO asked
      FROM jackpot_changedecision AS decided
      JOIN jackpot_changerequest AS request ON request.id = decided.request_id AND request.kind = 'correction'
      JOIN jackpot_entry AS entry ON entry.id = decided.entry_id
     WHERE decided.decision = 'approved' AND entry.lane_id = NEW.lane_id AND entry.link_seq = NEW.seq
     ORDER BY decided.id LIMIT 1;
    IF NOT FOUND THEN
        SELECT id INTO wrong FROM jackpot_entry
         WHERE lane_id = NEW.lane_id AND link_seq = NEW.seq AND (reverses_id IS NOT NULL
            OR (kind IN ('settlement', 'void', 'reset', 'restore') AND source_ref ~ ':v([2-9]|[1-9][0-9])')) LIMIT 1;
    ELSE
        SELECT entry.id INTO wrong
          FROM jackpot_entry AS entry LEFT JOIN jackpot_entry AS reversed ON reversed.id = entry.reverses_id
         WHERE entry.lane_id = NEW.lane_id AND entry.link_seq = NEW.seq AND NOT CASE
               WHEN entry.kind = 'correction' THEN
                    (entry.source_ref = asked.ref OR starts_with(entry.source_ref, asked.ref || ':'))
                    AND (reversed.id IS NULL OR reversed.source_ref = asked.was
                         OR starts_with(reversed.source_ref, asked.was || ':')
                         OR EXISTS (SELECT FROM jackpot_changerequest AS earlier
                                     WHERE earlier.subject = asked.subject AND earlier.id <> asked.id
                                       AND reversed.source_ref = 'change:' || earlier.id || ':mispay'))
               ELSE reversed.id IS NULL AND (entry.source_ref = asked.becomes
                                             OR starts_with(entry.source_ref, asked.becomes || ':')) END
         LIMIT 1;
        IF NOT FOUND AND (SELECT count(*) FROM jackpot_entry AS entry
                            LEFT JOIN jackpot_entry AS reversed ON reversed.id = entry.reverses_id
                           WHERE entry.lane_id = NEW.lane_id AND entry.link_seq = NEW.seq
                             AND ((entry.source_ref = asked.ref AND reversed.source_ref = asked.was
                                   AND reversed.kind IN ('settlement', 'void'))
                                  OR (entry.source_ref = asked.becomes AND entry.kind IN ('settlement', 'void')))) <> 2 THEN
            wrong := NEW.seq;
        END IF;
    END IF;
    IF wrong IS NOT NULL THEN
        RAISE EXCEPTION 'link %/%: a reversal or a later version that no correction stands for (%)', NEW.lane_id,
            NEW.seq, wrong USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'correction_approved';
    END IF;
    RETURN NEW;
END $$;

-- Named to come between `change_approved` and `link_seals`: triggers fire in the order of their names.
CREATE TRIGGER correction_approved BEFORE INSERT ON jackpot_link
    FOR EACH ROW EXECUTE FUNCTION jackpot_check_corrections();

-- As in `award_moves.sql`; awards are withdrawn by a correction of their round, and by nothing else. Who asked for a
-- version that an award carried over into entered its round too.
CREATE OR REPLACE FUNCTION jackpot_check_award_move() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    award record;
    entry record;
    earlier record;
    needed integer;
    decision boolean := NEW.move IN ('approve', 'uphold', 'reject');
    changes boolean := NEW.before <> NEW.state;
BEGIN
    SELECT id, state, kind, hit_id, entry_id, policy_id, source_ref INTO award
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
                                 WHERE actor = 'user:' || NEW.user_id
                                   AND (id = award.entry_id
                                        OR id IN (SELECT carried.entry_id FROM jackpot_carriedaward AS carried
                                                   WHERE carried.award_id = award.id)))) THEN
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
       WHEN changes AND NEW.state = 'withdrawn' THEN
            entry.kind IS DISTINCT FROM 'correction' OR NOT EXISTS (
                SELECT FROM jackpot_changerequest AS asked
                 WHERE asked.subject = 'round:' || award.source_ref AND entry.source_ref = 'change:' || asked.id)
       ELSE entry.kind IS DISTINCT FROM 'award_move' END) THEN
        RAISE EXCEPTION 'award %: entry % does not post or record its move, or is sealed', NEW.award_id, NEW.entry_id
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'award_move_of_entry';
    END IF;
    RETURN NEW;
END $$;

-- As in `award_moves.sql`. The entries of a correction, which has a link of its own, are looked at together: what is
-- mirrored, what the next version owes, what carries over and what was mispaid come out even with the awards that it
-- opens and withdraws.
CREATE OR REPLACE FUNCTION jackpot_awards_unowed(in_lane bigint, in_seq bigint)
RETURNS TABLE (entry_id bigint, code text) LANGUAGE sql STABLE AS $$
    WITH entries AS MATERIALIZED (
        SELECT id, kind, source_ref,
               CASE WHEN bool_or(kind = 'correction') OVER () THEN min(id) OVER () ELSE id END AS together
          FROM jackpot_entry WHERE lane_id = in_lane AND link_seq = in_seq),
    owed AS (SELECT entries.together, award.jackpot_id, award.amount
               FROM entries JOIN jackpot_award AS award ON award.entry_id = entries.id
             UNION ALL
             SELECT entries.together, award.jackpot_id, coalesce(-award.amount, 1)
               FROM entries LEFT JOIN jackpot_award AS award
                 ON award.id = substring(entries.source_ref FROM '^award:([0-9a-f-]{36})$')::uuid
                AND award.state = CASE entries.kind WHEN 'award_paid' THEN 'paid' ELSE 'rejected' END
              WHERE entries.kind IN ('award_paid', 'award_returned')
             UNION ALL
             SELECT entries.together, award.jackpot_id, -award.amount
               FROM entries JOIN jackpot_awardmove AS move ON move.entry_id = entries.id AND move.state = 'withdrawn'
               JOIN jackpot_award AS award ON award.id = move.award_id)
    SELECT sides.together, sides.code
      FROM (SELECT entries.together, account.code, leg.amount
              FROM entries JOIN jackpot_leg AS leg ON leg.entry_id = entries.id
              JOIN jackpot_account AS account ON account.id = leg.account_id
             WHERE split_part(account.code, ':', 1) = 'awards'
            UNION ALL
            SELECT owed.together, 'awards:' || jackpot.code, owed.amount
              FROM owed LEFT JOIN jackpot_jackpot AS jackpot ON jackpot.id = owed.jackpot_id) AS sides
     GROUP BY sides.together, sides.code HAVING sum(sides.amount) <> 0
$$;

-- As in `award_moves.sql`, with the awards that a correction carries over and the differences it opens. Links that were
-- sealed before have none, and stay valid.
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
        UNION ALL
        SELECT 6, award.entry_id, award.position::bigint, 0,
               jackpot_sealed_text('difference', award.id::text, award.difference_of_id::text)
          FROM entries JOIN jackpot_award AS award ON award.entry_id = entries.id
         WHERE award.difference_of_id IS NOT NULL
        UNION ALL
        SELECT 7, carried.entry_id, carried.id, 0,
               jackpot_sealed_text('carried', carried.id::text, carried.award_id::text, carried.entry_id::text,
                   carried.position::text, carried.amount::text, carried.hand, carried.from_box::text,
                   carried.seq::text)
          FROM entries JOIN jackpot_carriedaward AS carried ON carried.entry_id = entries.id
    )
    SELECT sha256(previous || convert_to(jackpot_sealed_text('link', in_lane::text, in_seq::text) || E'\n'
               || coalesce(string_agg(line, E'\n' ORDER BY kind, a, b, c), ''), 'UTF8'))
      FROM sealed
$$;
