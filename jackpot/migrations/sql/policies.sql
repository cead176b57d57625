-- Versions of a jackpot's policy, and the terms of its levels (`ledger.sql` says how it is refused).

CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON jackpot_termschange
    FOR EACH STATEMENT EXECUTE FUNCTION jackpot_refuse_change();

-- A jackpot is opened under version 1. Each later version follows the last one, for the same levels, and is what one
-- person asked for and another approved, in force from the approval on: never before the version it follows.
CREATE FUNCTION jackpot_check_policy() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    last record;
    asked record;
BEGIN
    SELECT version, terms, in_force_at INTO last FROM jackpot_policyversion
     WHERE jackpot_id = NEW.jackpot_id ORDER BY version DESC LIMIT 1;
    IF NEW.version <> coalesce(last.version, 0) + 1 OR NEW.in_force_at < last.in_force_at
       OR (last.version IS NOT NULL
           AND (SELECT array_agg(code ORDER BY code) FROM jsonb_object_keys(NEW.terms) AS code)
               IS DISTINCT FROM (SELECT array_agg(code ORDER BY code) FROM jsonb_object_keys(last.terms) AS code)) THEN
        RAISE EXCEPTION 'policy version % does not follow the last one', NEW.version
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'policy_follows';
    END IF;
    SELECT request.kind, request.jackpot_id, request.document, decided.decision, decided.at INTO asked
      FROM jackpot_changedecision AS decided JOIN jackpot_changerequest AS request ON request.id = decided.request_id
     WHERE decided.id = NEW.change_id;
    IF NEW.version > 1 AND (asked.kind, asked.jackpot_id, asked.document, asked.decision) IS DISTINCT FROM
       ('policy', NEW.jackpot_id, NEW.document, 'approved')
       OR NEW.version > 1 AND NEW.in_force_at <> greatest(asked.at, last.in_force_at)
       OR NEW.version = 1 AND NEW.change_id IS NOT NULL THEN
        RAISE EXCEPTION 'policy version % is not what was approved, or not from then on', NEW.version
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'policy_approved';
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER policy_follows BEFORE INSERT ON jackpot_policyversion
    FOR EACH ROW EXECUTE FUNCTION jackpot_check_policy();

-- What was approved is there, whenever a transaction commits.
CREATE FUNCTION jackpot_check_policy_is_there() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM jackpot_changerequest WHERE id = NEW.request_id AND kind = 'policy')
       AND NOT EXISTS (SELECT FROM jackpot_policyversion WHERE change_id = NEW.id) THEN
        RAISE EXCEPTION 'change %: the policy that was approved is not there', NEW.request_id
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'policy_carried_out';
    END IF;
    RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER policy_carried_out AFTER INSERT ON jackpot_changedecision
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.decision = 'approved')
    EXECUTE FUNCTION jackpot_check_policy_is_there();

-- Base, rates and limit of a level change with its reset, to those of the last version of its jackpot's policy. A reset
-- leaves a row, but where there was nothing to take since the last one, and nothing to put in: then a hit stands for it.
CREATE OR REPLACE FUNCTION jackpot_keep_terms() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    present integer;
    wanted record;
BEGIN
    SELECT version INTO present FROM jackpot_policyversion WHERE id = OLD.policy_id;
    SELECT id, version, (terms -> OLD.code ->> 'base')::bigint AS base,
           (terms -> OLD.code ->> 'increment_ppm')::integer AS increment_ppm,
           (terms -> OLD.code ->> 'reserve_ppm')::integer AS reserve_ppm,
           (terms -> OLD.code ->> 'limit')::bigint AS "limit" INTO wanted
      FROM jackpot_policyversion WHERE jackpot_id = OLD.jackpot_id ORDER BY version DESC LIMIT 1;
    IF NEW.policy_id <> wanted.id OR wanted.version <= present
       OR (NEW.base, NEW.increment_ppm, NEW.reserve_ppm, NEW."limit")
          IS DISTINCT FROM (wanted.base, wanted.increment_ppm, wanted.reserve_ppm, wanted."limit")
       OR NEW.reset_seq < OLD.reset_seq
       OR (NEW.reset_seq = OLD.reset_seq AND NOT (OLD.meter_seq = OLD.reset_seq AND NEW.hits > OLD.hits)) THEN
        RAISE EXCEPTION 'level %: base, rates and limit change with a reset, to those approved last', OLD.id
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'level_terms';
    END IF;
    RETURN NEW;
END $$;

DROP TRIGGER level_terms ON jackpot_level;
CREATE TRIGGER level_terms BEFORE UPDATE OF policy_id, base, increment_ppm, reserve_ppm, "limit" ON jackpot_level
    FOR EACH ROW WHEN ((OLD.policy_id, OLD.base, OLD.increment_ppm, OLD.reserve_ppm, OLD."limit")
                       IS DISTINCT FROM (NEW.policy_id, NEW.base, NEW.increment_ppm, NEW.reserve_ppm, NEW."limit"))
    EXECUTE FUNCTION jackpot_keep_terms();

-- Which terms a level had when stays on record: a change names the reset's entry, before that is sealed, and the
-- version that the level is run by then; and no level changes without.
CREATE FUNCTION jackpot_check_terms_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (
        SELECT FROM jackpot_level AS level
          JOIN jackpot_lane AS lane ON lane.jackpot_id = level.jackpot_id
          JOIN jackpot_entry AS entry ON entry.lane_id = lane.id AND entry.link_seq > lane.sealed
         WHERE level.id = NEW.level_id AND level.policy_id = NEW.policy_id
           AND entry.id = NEW.entry_id AND entry.kind = 'reset') THEN
        RAISE EXCEPTION 'level %: entry % is not the reset that brings it new terms, or is sealed', NEW.level_id,
            NEW.entry_id USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'terms_of_reset';
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER terms_of_reset BEFORE INSERT ON jackpot_termschange
    FOR EACH ROW EXECUTE FUNCTION jackpot_check_terms_change();

CREATE FUNCTION jackpot_check_terms_recorded() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM jackpot_termschange WHERE level_id = NEW.id AND policy_id = NEW.policy_id) THEN
        RAISE EXCEPTION 'level %: which reset brought its terms is not on record', NEW.id
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'terms_recorded';
    END IF;
    RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER terms_recorded AFTER UPDATE OF policy_id ON jackpot_level
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (OLD.policy_id <> NEW.policy_id)
    EXECUTE FUNCTION jackpot_check_terms_recorded();

-- As in `ledger.sql`; in a batch that brings new rates some stakes contributed by the old ones and some by the new, so the
-- higher of the two bound it (which stake by which, the audit reckons).
CREATE OR REPLACE FUNCTION jackpot_check_level() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    wrong text;
    wagered numeric := NEW.wagered - coalesce(OLD.wagered, 0);
    contributed numeric := NEW.contributed - coalesce(OLD.contributed, 0);
    rates integer := NEW.increment_ppm + NEW.reserve_ppm;
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
    IF wagered < 0 OR contributed * 1000000 > wagered * greatest(rates, OLD.increment_ppm + OLD.reserve_ppm)
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
