-- A round that comes to wait has a place, as `rounds.sql` has it; but both rows are looked up by what names them. A
-- session plans this once, often while nothing waits: with the conditions in the query it then read every round that
-- waits, by the index of those, and the whole queue, for each round that came in behind them.
CREATE OR REPLACE FUNCTION tables_check_waiting() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
    round record;
BEGIN
    SELECT version, phase INTO round FROM tables_round WHERE id = NEW.id;
    IF round.version = 0 AND round.phase IN ('complete', 'void')
       AND NOT EXISTS (SELECT FROM jackpot_queued WHERE source_ref = NEW.id AND kind <> 'lockout') THEN
        RAISE EXCEPTION 'round %: it is % and has no place in the queue', NEW.id, NEW.phase
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'round_waits';
    END IF;
    RETURN NULL;
END $$;
