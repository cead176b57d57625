-- Voids that wait for a second person (`jackpot/migrations/sql/ledger.sql` says how it is refused).

CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON tables_waitingvoid
    FOR EACH STATEMENT EXECUTE FUNCTION jackpot_refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON tables_voiddecision
    FOR EACH STATEMENT EXECUTE FUNCTION jackpot_refuse_change();

-- Who asked for a void is on record and does not decide on it, and it is decided on while the round waits.
CREATE FUNCTION tables_check_void_decision() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM tables_waitingvoid AS waiting JOIN tables_round AS round ON round.id = waiting.round_id
                    WHERE waiting.id = NEW.waiting_id AND waiting.asked_by NOT IN ('', 'user:' || NEW.by_id)
                      AND round.phase = 'failed') THEN
        RAISE EXCEPTION 'void %: % by who asked for it, where nobody is known to have, or where nothing waits', NEW.waiting_id, NEW.decision
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'void_second_person';
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER void_second_person BEFORE INSERT ON tables_voiddecision
    FOR EACH ROW EXECUTE FUNCTION tables_check_void_decision();

-- A round in which a void waits stays set aside until every one of them is decided on.
CREATE FUNCTION tables_check_void_decided() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM tables_waitingvoid AS waiting WHERE waiting.round_id = NEW.id
                  AND NOT EXISTS (SELECT FROM tables_voiddecision WHERE waiting_id = waiting.id)) THEN
        RAISE EXCEPTION 'round %: a void of it waits for a second person', NEW.id
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'void_decided';
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER void_decided BEFORE UPDATE OF phase ON tables_round
    FOR EACH ROW WHEN (OLD.phase = 'failed' AND NEW.phase <> 'failed') EXECUTE FUNCTION tables_check_void_decided();

-- Whether the void of this box (NULL: of the whole round) was declined when it waited last.
CREATE FUNCTION tables_void_declined(in_round uuid, of_box integer) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT FROM tables_voiddecision
                    WHERE decision = 'declined' AND waiting_id = (
                        SELECT max(id) FROM tables_waitingvoid
                         WHERE round_id = in_round AND box IS NOT DISTINCT FROM of_box))
$$;

-- As in `corrections.sql`; a void that was declined is taken off again, with the end that it had brought.
CREATE OR REPLACE FUNCTION tables_check_round() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    declined boolean := false;
BEGIN
    IF OLD.phase = 'failed' AND NEW.phase <> 'failed' AND OLD.version = 0 AND NEW.void_reason = '' THEN
        declined := tables_void_declined(OLD.id, NULL);
    END IF;
    IF OLD.version > 0 AND NEW.version = OLD.version + 1 AND tables_correction_due(OLD.id, OLD.version) THEN
        IF (OLD.id, OLD.integrator_id, OLD.external_id, OLD.content, OLD.table_id, OLD.site_id, OLD.game_number,
            OLD.live, OLD.rule_set_id, OLD.policy_id, OLD.lane_id, OLD.started_at, OLD.locked_at, OLD.completed_at,
            OLD.gaming_day, OLD.late)
           IS DISTINCT FROM
           (NEW.id, NEW.integrator_id, NEW.external_id, NEW.content, NEW.table_id, NEW.site_id, NEW.game_number,
            NEW.live, NEW.rule_set_id, NEW.policy_id, NEW.lane_id, NEW.started_at, NEW.locked_at, NEW.completed_at,
            NEW.gaming_day, NEW.late) THEN
            RAISE EXCEPTION 'round %: a correction changes cards, boxes and a void, and nothing else', OLD.id
                USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'round_facts_frozen';
        ELSIF (NEW.phase <> CASE NEW.void_reason WHEN '' THEN 'settled' ELSE 'void' END) OR NEW.settled_at IS NULL THEN
            RAISE EXCEPTION 'round %: phase % and version % do not belong together', OLD.id, NEW.phase, NEW.version
                USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'round_settled';
        END IF;
        RETURN NEW;
    END IF;
    IF OLD.id <> NEW.id
       OR (OLD.integrator_id, OLD.external_id, OLD.content, OLD.table_id, OLD.site_id, OLD.game_number, OLD.live,
        OLD.started_at) IS DISTINCT FROM (NEW.integrator_id, NEW.external_id, NEW.content, NEW.table_id, NEW.site_id,
        NEW.game_number, NEW.live, NEW.started_at)
       OR (OLD.locked_at IS NOT NULL AND (OLD.locked_at, OLD.rule_set_id, OLD.policy_id, OLD.lane_id)
           IS DISTINCT FROM (NEW.locked_at, NEW.rule_set_id, NEW.policy_id, NEW.lane_id))
       OR (OLD.completed_at IS NOT NULL AND NOT declined
           AND (OLD.locked_at, OLD.completed_at, OLD.flop, OLD.turn, OLD.river, OLD.dealer, OLD.player_cards)
           IS DISTINCT FROM
               (NEW.locked_at, NEW.completed_at, NEW.flop, NEW.turn, NEW.river, NEW.dealer, NEW.player_cards))
       OR (OLD.void_reason <> '' AND NOT declined AND (OLD.void_reason, OLD.void_note) <> (NEW.void_reason, NEW.void_note))
       OR (OLD.flop <> '' AND OLD.flop <> NEW.flop) OR (OLD.turn <> '' AND OLD.turn <> NEW.turn)
       OR (OLD.river <> '' AND OLD.river <> NEW.river) OR (OLD.dealer <> '' AND OLD.dealer <> NEW.dealer)
       OR (OLD.player_cards <> '' AND OLD.player_cards <> NEW.player_cards)
       OR NEW.version < OLD.version OR (OLD.version > 0 AND OLD IS DISTINCT FROM NEW) THEN
        RAISE EXCEPTION 'round %: a fact of it was changed', OLD.id
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'round_facts_frozen';
    END IF;
    IF OLD.phase <> NEW.phase AND (OLD.phase, NEW.phase) NOT IN (
        ('betting', 'locked'), ('betting', 'suspended'), ('betting', 'void'),
        ('locked', 'preflop'), ('locked', 'suspended'), ('locked', 'void'),
        ('preflop', 'flop'), ('preflop', 'complete'), ('preflop', 'suspended'), ('preflop', 'void'),
        ('flop', 'river'), ('flop', 'complete'), ('flop', 'suspended'), ('flop', 'failed'), ('flop', 'void'),
        ('river', 'complete'), ('river', 'suspended'), ('river', 'failed'), ('river', 'void'),
        ('complete', 'settled'), ('complete', 'failed'), ('complete', 'void'),
        ('suspended', 'betting'), ('suspended', 'locked'), ('suspended', 'preflop'), ('suspended', 'flop'),
        ('suspended', 'river'), ('suspended', 'failed'), ('suspended', 'void'),
        ('failed', 'complete'), ('failed', 'flop'), ('failed', 'river'), ('failed', 'suspended'), ('failed', 'void'),
        ('void', 'failed')) THEN
        RAISE EXCEPTION 'round %: phase % does not become %', OLD.id, OLD.phase, NEW.phase
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'round_phase_moves';
    END IF;
    -- Settled is what has a version in force, with its day and time; void is what has a reason, or was never locked out.
    IF NEW.version > OLD.version + 1 OR (NEW.version = 0 AND (NEW.phase = 'settled' OR NEW.settled_at IS NOT NULL))
       OR (NEW.phase = 'void' AND NEW.void_reason = '' AND NEW.locked_at IS NOT NULL)
       OR (NEW.version > 0 AND (NEW.phase <> CASE NEW.void_reason WHEN '' THEN 'settled' ELSE 'void' END
                                OR NEW.settled_at IS NULL OR NEW.gaming_day IS NULL)) THEN
        RAISE EXCEPTION 'round %: phase %, version % and the settlement do not belong together', OLD.id, NEW.phase,
            NEW.version USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'round_settled';
    END IF;
    RETURN NEW;
END $$;

CREATE OR REPLACE FUNCTION tables_check_box() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    round record;
BEGIN
    SELECT version, phase, locked_at, completed_at INTO round FROM tables_round WHERE id = OLD.round_id;
    IF round.version > 0 AND tables_correction_due(OLD.round_id, round.version)
       AND (TG_OP = 'DELETE' OR (OLD.round_id, OLD.box) = (NEW.round_id, NEW.box)) THEN
        RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
    END IF;
    IF round.version > 0 OR (round.locked_at IS NOT NULL AND TG_OP = 'DELETE') OR (TG_OP = 'UPDATE' AND (
        (OLD.round_id, OLD.box) <> (NEW.round_id, NEW.box)
        OR (round.locked_at IS NOT NULL AND (OLD.player, OLD.ante, OLD.trips, OLD.progressive)
            <> (NEW.player, NEW.ante, NEW.trips, NEW.progressive))
        OR (round.completed_at IS NOT NULL
            AND (OLD.cards, OLD.action, OLD.street, OLD.multiplier, OLD.automatic, OLD.checked)
             <> (NEW.cards, NEW.action, NEW.street, NEW.multiplier, NEW.automatic, NEW.checked))
        OR (OLD.cards <> '' AND OLD.cards <> NEW.cards)
        OR (OLD.action <> '' AND (OLD.action, OLD.street, OLD.multiplier, OLD.automatic)
            <> (NEW.action, NEW.street, NEW.multiplier, NEW.automatic))
        OR (OLD.void_reason <> '' AND (OLD.void_reason, OLD.void_note) <> (NEW.void_reason, NEW.void_note)
            AND NOT (NEW.void_reason = '' AND round.phase = 'failed'
                     AND tables_void_declined(OLD.round_id, OLD.box))))) THEN
        RAISE EXCEPTION 'box % of round %: what stands is not changed', OLD.box, OLD.round_id
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'box_frozen';
    END IF;
    RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
END $$;
