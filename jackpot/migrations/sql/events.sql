-- What must never happen to the outbox, refused by PostgreSQL under a name (`ledger.sql` says how).

CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON jackpot_event
    FOR EACH STATEMENT EXECUTE FUNCTION jackpot_refuse_change();

-- An integrator's events are numbered from 1 without a gap, and end where its counter stands, which is locked until the
-- commit: who has read up to a number never finds a smaller one later. Their foreign keys are checked here too, for the
-- set instead of row by row: none of the rows they point to is ever removed.
CREATE FUNCTION jackpot_check_events() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    wrong bigint;
BEGIN
    SELECT came.integrator_id INTO wrong
      FROM (SELECT integrator_id, min(seq) AS low, max(seq) AS high, count(*) AS events
              FROM added GROUP BY integrator_id) AS came
      LEFT JOIN jackpot_eventcounter AS counter ON counter.integrator_id = came.integrator_id
     WHERE counter.last IS DISTINCT FROM came.high OR came.high - came.low + 1 <> came.events
        OR (came.low <> 1 AND NOT EXISTS (SELECT FROM jackpot_event AS before
                                           WHERE before.integrator_id = came.integrator_id
                                             AND before.seq = came.low - 1))
     LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'events of integrator %: they do not follow one another up to its counter', wrong
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'event_follows';
    END IF;
    IF EXISTS (SELECT FROM (SELECT DISTINCT site_id FROM added) AS came
                WHERE NOT EXISTS (SELECT FROM jackpot_site WHERE id = came.site_id) AND came.site_id IS NOT NULL)
       OR EXISTS (SELECT FROM (SELECT DISTINCT jackpot_id FROM added) AS came
                   WHERE NOT EXISTS (SELECT FROM jackpot_jackpot WHERE id = came.jackpot_id)
                     AND came.jackpot_id IS NOT NULL) THEN
        RAISE EXCEPTION 'an event names a site or a jackpot that does not exist'
            USING ERRCODE = 'foreign_key_violation', CONSTRAINT = 'event_of_known';
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER event_follows AFTER INSERT ON jackpot_event
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION jackpot_check_events();

-- A number that was counted is used: at commit the counter stands at the last event.
CREATE FUNCTION jackpot_check_counter() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (SELECT last FROM jackpot_eventcounter WHERE integrator_id = NEW.integrator_id)
       IS DISTINCT FROM (SELECT max(seq) FROM jackpot_event WHERE integrator_id = NEW.integrator_id) THEN
        RAISE EXCEPTION 'the event counter of integrator % does not stand at its last event', NEW.integrator_id
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'counter_equals_events';
    END IF;
    RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER counter_equals_events AFTER INSERT OR UPDATE ON jackpot_eventcounter
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION jackpot_check_counter();

CREATE FUNCTION jackpot_keep_counter() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'an event counter is never removed or given to another integrator'
        USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'counter_kept';
END $$;

CREATE TRIGGER counter_kept BEFORE DELETE OR TRUNCATE ON jackpot_eventcounter
    FOR EACH STATEMENT EXECUTE FUNCTION jackpot_keep_counter();
CREATE TRIGGER counter_not_moved BEFORE UPDATE OF integrator_id ON jackpot_eventcounter
    FOR EACH ROW WHEN (OLD.integrator_id <> NEW.integrator_id) EXECUTE FUNCTION jackpot_keep_counter();
