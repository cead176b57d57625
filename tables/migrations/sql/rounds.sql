-- What must never happen to rounds, refused by PostgreSQL under a name (`jackpot/migrations/sql/ledger.sql` says how).

CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON tables_boxresult
    FOR EACH STATEMENT EXECUTE FUNCTION jackpot_refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON tables_roundevent
    FOR EACH STATEMENT EXECUTE FUNCTION jackpot_refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON tables_rulesetversion
    FOR EACH STATEMENT EXECUTE FUNCTION jackpot_refuse_change();
CREATE TRIGGER append_only BEFORE DELETE OR TRUNCATE ON tables_round
    FOR EACH STATEMENT EXECUTE FUNCTION jackpot_refuse_change();
CREATE TRIGGER append_only BEFORE TRUNCATE ON tables_box
    FOR EACH STATEMENT EXECUTE FUNCTION jackpot_refuse_change();

-- (`corrections.sql` replaces this: a correction changes facts once more.)
-- A round keeps who sent it, when and where; its versions once they are pinned; every card and time and its void once
-- known; all of its facts once it is complete; and everything once a settlement is in force, until another one is. Its
-- phase moves only as `tables.domain.round_state.MOVES` says; a resumed or retried round goes back.
CREATE FUNCTION tables_check_round() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
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
       OR NEW.version < OLD.version OR (OLD.version > 0 AND OLD.version = NEW.version AND OLD IS DISTINCT FROM NEW) THEN
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

CREATE TRIGGER round_kept BEFORE UPDATE ON tables_round FOR EACH ROW EXECUTE FUNCTION tables_check_round();

-- A live round begins in `betting`; a whole one is complete, void or set aside. Nothing is settled when it comes in.
CREATE FUNCTION tables_refuse_beginning() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'round %: no round begins in phase %, version %', NEW.id, NEW.phase, NEW.version
        USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'round_begins';
END $$;

CREATE TRIGGER round_begins BEFORE INSERT ON tables_round
    FOR EACH ROW WHEN (NEW.version <> 0 OR NEW.settled_at IS NOT NULL OR NEW.live <> (NEW.phase = 'betting')
                       OR NEW.phase NOT IN ('betting', 'complete', 'void', 'failed')
                       OR (NEW.phase = 'void' AND NEW.void_reason = ''))
    EXECUTE FUNCTION tables_refuse_beginning();

-- A version in force has its results when it is committed (a round without a box has none).
CREATE FUNCTION tables_check_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM tables_boxresult WHERE round_id = NEW.id AND version = NEW.version)
       AND EXISTS (SELECT FROM tables_box WHERE round_id = NEW.id) THEN
        RAISE EXCEPTION 'round %: version % has no results', NEW.id, NEW.version
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'round_results';
    END IF;
    RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER round_results AFTER UPDATE OF version ON tables_round
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (OLD.version <> NEW.version)
    EXECUTE FUNCTION tables_check_version();

-- (`corrections.sql` replaces this: a correction changes facts once more.)
-- A box's bets stand once betting has closed, its cards and decision once they are known or the round is complete, all
-- of it once results are.
CREATE FUNCTION tables_check_box() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    round record;
BEGIN
    SELECT version, locked_at, completed_at INTO round FROM tables_round WHERE id = OLD.round_id;
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

CREATE TRIGGER box_frozen BEFORE UPDATE OR DELETE ON tables_box FOR EACH ROW EXECUTE FUNCTION tables_check_box();

-- (`corrections.sql` replaces this: a correction changes facts once more.)
-- Boxes come in while betting is open, or all at once with their whole round; results come once, one for each box, for
-- the version that their transaction has put in force. Rounds are never removed, so these stand for the foreign keys too.
CREATE FUNCTION tables_check_boxes_in() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM (SELECT round_id, count(*) AS boxes FROM added GROUP BY round_id) AS added
                 LEFT JOIN tables_round AS round ON round.id = added.round_id
                WHERE round.id IS NULL OR (round.live AND round.phase <> 'betting')
                   OR (NOT round.live
                       AND added.boxes <> (SELECT count(*) FROM tables_box WHERE round_id = added.round_id))) THEN
        RAISE EXCEPTION 'a box was added to a round that is not open for bets'
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'box_in_time';
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER box_in_time AFTER INSERT ON tables_box
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION tables_check_boxes_in();

CREATE FUNCTION tables_check_results_in() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM added
                 LEFT JOIN tables_box AS box ON box.round_id = added.round_id AND box.box = added.box
                WHERE box.round_id IS NULL) THEN
        RAISE EXCEPTION 'a result names a box that is not in its round'
            USING ERRCODE = 'foreign_key_violation', CONSTRAINT = 'result_of_box';
    END IF;
    IF EXISTS (SELECT FROM (SELECT round_id, version, count(*) AS boxes FROM added GROUP BY round_id, version) AS added
                 JOIN tables_round AS round ON round.id = added.round_id
                WHERE added.version = 0 OR added.version <> round.version
                   OR added.boxes <> (SELECT count(*) FROM tables_box WHERE round_id = added.round_id)) THEN
        RAISE EXCEPTION 'results come once, for all boxes of a round, for the version just put in force'
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'results_once';
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER result_of_box AFTER INSERT ON tables_boxresult
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION tables_check_results_in();

-- A round that is complete or void keeps its place until it is settled or set aside: without one nothing would ever
-- settle it. A place is left when its work is done, in the same transaction; it is never changed.
CREATE FUNCTION tables_check_place() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    wrong uuid;
BEGIN
    IF TG_OP = 'DELETE' THEN
        SELECT round.id INTO wrong
          FROM removed JOIN tables_round AS round ON round.id = removed.source_ref
         WHERE round.version = 0 AND round.phase IN ('complete', 'void')
           AND NOT EXISTS (SELECT FROM jackpot_queued AS kept WHERE kept.source_ref = round.id AND kept.kind <> 'lockout')
         LIMIT 1;
        IF NOT FOUND THEN
            RETURN NULL;
        END IF;
    END IF;
    RAISE EXCEPTION '% of places in the queue: round % would never be settled', TG_OP, wrong
        USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'place_kept';
END $$;

CREATE TRIGGER place_kept AFTER DELETE ON jackpot_queued
    REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION tables_check_place();
CREATE TRIGGER place_not_changed BEFORE UPDATE OR TRUNCATE ON jackpot_queued
    FOR EACH STATEMENT EXECUTE FUNCTION tables_check_place();

-- And none comes to wait without one: looked at when it is committed, because places are given beside the phase.
CREATE FUNCTION tables_check_waiting() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM tables_round WHERE id = NEW.id AND version = 0 AND phase IN ('complete', 'void'))
       AND NOT EXISTS (SELECT FROM jackpot_queued WHERE source_ref = NEW.id AND kind <> 'lockout') THEN
        RAISE EXCEPTION 'round %: it is % and has no place in the queue', NEW.id, NEW.phase
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'round_waits';
    END IF;
    RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER round_waits AFTER INSERT OR UPDATE OF phase ON tables_round
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
    WHEN (NEW.version = 0 AND NEW.phase IN ('complete', 'void') AND (NEW.phase = 'complete' OR NEW.void_reason <> ''))
    EXECUTE FUNCTION tables_check_waiting();

CREATE TRIGGER table_kept BEFORE UPDATE OF id, code, currency_code, site_id ON tables_table
    FOR EACH ROW WHEN ((OLD.id, OLD.code, OLD.currency_code, OLD.site_id)
                       <> (NEW.id, NEW.code, NEW.currency_code, NEW.site_id))
    EXECUTE FUNCTION jackpot_keep_identity();
