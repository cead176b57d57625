-- As `award_begins.sql` has it, but a hit is found by its id and by nothing else. Where hardly any award had been a hit,
-- all hits were kept at hand and each award held against each of them: 100,000 boxes that shared one took longer than a
-- statement may.
CREATE OR REPLACE FUNCTION jackpot_check_award_begins() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    wrong record;
BEGIN
    SELECT added.id, added.state INTO wrong
      FROM added
      LEFT JOIN jackpot_entry AS entry ON entry.id = added.entry_id
      LEFT JOIN jackpot_policyversion AS policy ON policy.id = added.policy_id
      LEFT JOIN LATERAL (SELECT * FROM jackpot_award AS known WHERE known.id = added.hit_id OFFSET 0) AS hit
        ON added.kind = 'envy' AND hit.kind = 'hit' AND hit.source_ref = added.source_ref
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

ALTER FUNCTION jackpot_check_award_begins() SET enable_seqscan = off;
ALTER FUNCTION jackpot_check_award_begins() SET jit = off;
