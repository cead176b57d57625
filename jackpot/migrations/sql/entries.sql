-- What an entry points to, for the set a statement writes instead of row by row (`ledger.sql` says how it is refused).

-- Lanes and integrators stay for ever, and so do entries: checking once that they are there is as good as a
-- foreign key. Three of them for each entry were a sixth of the time in which PostgreSQL takes a batch.
CREATE FUNCTION jackpot_check_entry_points() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM (SELECT DISTINCT lane_id FROM added) AS came
                WHERE NOT EXISTS (SELECT FROM jackpot_lane WHERE id = came.lane_id))
       OR EXISTS (SELECT FROM (SELECT DISTINCT integrator_id FROM added) AS came
                   WHERE came.integrator_id IS NOT NULL
                     AND NOT EXISTS (SELECT FROM jackpot_integrator WHERE id = came.integrator_id))
       OR EXISTS (SELECT FROM added WHERE reverses_id IS NOT NULL
                     AND NOT EXISTS (SELECT FROM jackpot_entry WHERE id = added.reverses_id)) THEN
        RAISE EXCEPTION 'an entry names a lane, an integrator or an entry that does not exist'
            USING ERRCODE = 'foreign_key_violation', CONSTRAINT = 'entry_of_known';
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER entry_of_known AFTER INSERT ON jackpot_entry
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION jackpot_check_entry_points();

CREATE TRIGGER append_only BEFORE DELETE OR TRUNCATE ON jackpot_lane
    FOR EACH STATEMENT EXECUTE FUNCTION jackpot_refuse_change();
CREATE TRIGGER append_only BEFORE DELETE OR TRUNCATE ON jackpot_integrator
    FOR EACH STATEMENT EXECUTE FUNCTION jackpot_refuse_change();
CREATE TRIGGER integrator_kept BEFORE UPDATE OF id ON jackpot_integrator
    FOR EACH ROW WHEN (OLD.id <> NEW.id) EXECUTE FUNCTION jackpot_keep_identity();
