-- Who entered a round of an award decides on none of its moves, as `corrections.sql` has it; but its entries are looked up
-- by their ids. With OR in their place every move read the whole ledger, and took longer with each day.
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
                                   AND id IN (SELECT award.entry_id UNION ALL
                                              SELECT carried.entry_id FROM jackpot_carriedaward AS carried
                                               WHERE carried.award_id = award.id))) THEN
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
