-- The state in which an award begins, before anybody moved it (`ledger.sql` says how it is refused).

-- A hit waits for its approvals, unless it was paid at once: in the link of its round, when the hit is not late, under a
-- policy that pays small hits so. An Envy begins as its hit stands by then, approved under one that is paid: a hit of
-- its own settlement, or, opened by a correction, of an earlier version of the round. What is withdrawn or rejected has
-- no Envy. Looked at as soon as awards come in: a move needs an entry of its own, and is checked by itself.
CREATE FUNCTION jackpot_check_award_begins() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    wrong record;
BEGIN
    SELECT added.id, added.state INTO wrong
      FROM added
      LEFT JOIN jackpot_entry AS entry ON entry.id = added.entry_id
      LEFT JOIN jackpot_policyversion AS policy ON policy.id = added.policy_id
      LEFT JOIN jackpot_award AS hit ON added.kind = 'envy' AND hit.id = added.hit_id AND hit.kind = 'hit'
       AND hit.source_ref = added.source_ref
       AND (hit.entry_id = added.entry_id
            OR (entry.kind IN ('settlement', 'void') AND hit.entry_id < added.entry_id
                AND starts_with(entry.source_ref, 'round:' || hit.source_ref || ':v')))
     WHERE (CASE
           WHEN added.kind = 'envy' THEN
                hit.state IN ('pending', 'approved', 'disputed', 'paid')
                AND added.state = CASE hit.state WHEN 'paid' THEN 'approved' ELSE hit.state END
           WHEN added.state = 'paid' THEN
                NOT added.late AND added.difference_of_id IS NULL
                AND coalesce((policy.document ->> 'verify_from')::numeric, 0) > 0
                AND EXISTS (SELECT FROM jackpot_entry AS payment
                             WHERE payment.kind = 'award_paid' AND payment.source_ref = 'award:' || added.id
                               AND (payment.lane_id, payment.link_seq) = (entry.lane_id, entry.link_seq))
           ELSE added.state = 'pending' END) IS NOT TRUE
     LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'award %: it does not begin as %', wrong.id, wrong.state
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'award_begins';
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER award_begins AFTER INSERT ON jackpot_award
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION jackpot_check_award_begins();
