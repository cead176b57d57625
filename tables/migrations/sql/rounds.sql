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

-- A round keeps who sent it, when and where; its versions once they are pinned; every card and time once it is known;
-- and all of its facts once it is complete (whether it is void, once it is settled). Its phase moves only as
-- `tables.domain.round_state.MOVES` says; a resumed or retried round goes back.
CREATE FUNCTION tables_check_round() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (OLD.integrator_id, OLD.external_id, OLD.content, OLD.table_id, OLD.site_id, OLD.game_number, OLD.live,
        OLD.started_at) IS DISTINCT FROM (NEW.integrator_id, NEW.external_id, NEW.content, NEW.table_id, NEW.site_id,
        NEW.game_number, NEW.live, NEW.started_at)
       OR (OLD.locked_at IS NOT NULL AND (OLD.locked_at, OLD.rule_set_id, OLD.policy_id, OLD.lane_id)
           IS DISTINCT FROM (NEW.locked_at, NEW.rule_set_id, NEW.policy_id, NEW.lane_id))
       OR (OLD.completed_at IS NOT NULL
           AND (OLD.locked_at, OLD.completed_at, OLD.flop, OLD.turn, OLD.river, OLD.dealer, OLD.player_cards)
           IS DISTINCT FROM
               (NEW.locked_at, NEW.completed_at, NEW.flop, NEW.turn, NEW.river, NEW.dealer, NEW.player_cards))
       OR (OLD.version > 0 AND (OLD.void_reason, OLD.void_note) <> (NEW.void_reason, NEW.void_note))
       OR (OLD.flop <> '' AND OLD.flop <> NEW.flop) OR (OLD.turn <> '' AND OLD.turn <> NEW.turn)
       OR (OLD.river <> '' AND OLD.river <> NEW.river) OR (OLD.dealer <> '' AND OLD.dealer <> NEW.dealer)
       OR (OLD.player_cards <> '' AND OLD.player_cards <> NEW.player_cards)
       OR NEW.version < OLD.version THEN
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
    RETURN NEW;
END $$;

CREATE TRIGGER round_kept BEFORE UPDATE ON tables_round FOR EACH ROW EXECUTE FUNCTION tables_check_round();

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

-- Boxes come in while betting is open, or all at once with their whole round; results come once, one for each box, as
-- the version that the settlement then puts in force. Rounds are never removed, so these stand for the foreign keys too.
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
                WHERE added.version <> round.version + 1
                   OR added.boxes <> (SELECT count(*) FROM tables_box WHERE round_id = added.round_id)) THEN
        RAISE EXCEPTION 'results come once, for all boxes of a round, as its next version'
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'results_once';
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER result_of_box AFTER INSERT ON tables_boxresult
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION tables_check_results_in();
