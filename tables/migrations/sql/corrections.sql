-- Corrections of settled rounds: the facts of a round change once more, by an approved correction and by nothing else
-- (`rounds.sql` has all other guards of rounds).

-- Whether an approved correction of this version waits to be carried out: from its approval to the next version, which
-- lie in one transaction (`correction_carried_out`).
CREATE FUNCTION tables_correction_due(in_round uuid, in_version integer) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT FROM jackpot_changerequest AS request
                     JOIN jackpot_changedecision AS decided ON decided.request_id = request.id
                    WHERE request.subject = 'round:' || in_round AND request.kind = 'correction'
                      AND decided.decision = 'approved' AND (request.document ->> 'version')::integer = in_version)
$$;

-- (`waiting_voids.sql` replaces this: a declined void is taken off.)
-- As in `rounds.sql`; a correction raises a version by one and may change cards, boxes and the void.
CREATE OR REPLACE FUNCTION tables_check_round() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
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
       OR (OLD.completed_at IS NOT NULL
           AND (OLD.locked_at, OLD.completed_at, OLD.flop, OLD.turn, OLD.river, OLD.dealer, OLD.player_cards)
           IS DISTINCT FROM
               (NEW.locked_at, NEW.completed_at, NEW.flop, NEW.turn, NEW.river, NEW.dealer, NEW.player_cards))
       OR (OLD.void_reason <> '' AND (OLD.void_reason, OLD.void_note) <> (NEW.void_reason, NEW.void_note))
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

-- (`waiting_voids.sql` replaces the first: a declined void is taken off.)
-- As in `rounds.sql`; a correction may change, add and remove boxes.
CREATE OR REPLACE FUNCTION tables_check_box() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    round record;
BEGIN
    SELECT version, locked_at, completed_at INTO round FROM tables_round WHERE id = OLD.round_id;
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
        OR (OLD.void_reason <> '' AND (OLD.void_reason, OLD.void_note) <> (NEW.void_reason, NEW.void_note)))) THEN
        RAISE EXCEPTION 'box % of round %: what stands is not changed', OLD.box, OLD.round_id
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'box_frozen';
    END IF;
    RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
END $$;

CREATE OR REPLACE FUNCTION tables_check_boxes_in() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM (SELECT round_id, count(*) AS boxes FROM added GROUP BY round_id) AS added
                 LEFT JOIN tables_round AS round ON round.id = added.round_id
                WHERE round.id IS NULL OR (CASE
                      WHEN round.version > 0 THEN NOT tables_correction_due(round.id, round.version)
                      WHEN round.live THEN round.phase <> 'betting'
                      ELSE added.boxes <> (SELECT count(*) FROM tables_box WHERE round_id = added.round_id) END)) THEN
        RAISE EXCEPTION 'a box was added to a round that is not open for bets'
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'box_in_time';
    END IF;
    RETURN NULL;
END $$;

-- What a correction replaces is kept as it stood: the record that its request was asked with.
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON tables_superseded
    FOR EACH STATEMENT EXECUTE FUNCTION jackpot_refuse_change();

CREATE FUNCTION tables_check_superseded() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (
        SELECT FROM jackpot_changerequest AS request
          JOIN jackpot_changedecision AS decided ON decided.request_id = request.id AND decided.decision = 'approved'
          JOIN tables_round AS round ON round.id = NEW.round_id AND round.version = NEW.version
         WHERE request.id = NEW.change_id AND request.kind = 'correction' AND request.subject = 'round:' || NEW.round_id
           AND (request.document ->> 'version')::integer = NEW.version AND request.before = NEW.document
           AND round.settled_at = NEW.settled_at AND NEW.replaced_at >= NEW.settled_at) THEN
        RAISE EXCEPTION 'round %: version % is not what its correction replaces', NEW.round_id, NEW.version
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'superseded_as_asked';
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER superseded_as_asked BEFORE INSERT ON tables_superseded
    FOR EACH ROW EXECUTE FUNCTION tables_check_superseded();

-- At commit an approved correction is carried out: what it replaced is kept, and the next version came into force.
CREATE FUNCTION tables_check_carried_out() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM jackpot_changerequest WHERE id = NEW.request_id AND kind = 'correction')
       AND NOT EXISTS (SELECT FROM tables_superseded AS was JOIN tables_round AS round ON round.id = was.round_id
                        WHERE was.change_id = NEW.request_id AND round.version > was.version
                          AND (round.version > was.version + 1 OR round.settled_at = was.replaced_at)) THEN
        RAISE EXCEPTION 'change %: the correction is approved and was not carried out', NEW.request_id
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'correction_carried_out';
    END IF;
    RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER correction_carried_out AFTER INSERT ON jackpot_changedecision
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.decision = 'approved')
    EXECUTE FUNCTION tables_check_carried_out();
