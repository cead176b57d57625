-- What changes pots beside rounds (adjustments, transfers, retirements), and the state of jackpots: what must never
-- happen to them (`ledger.sql` says how it is refused).

CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON jackpot_jackpotstatechange
    FOR EACH STATEMENT EXECUTE FUNCTION jackpot_refuse_change();

-- Rows of an adjustment come with an adjustment's entry, rows of a transfer with that of a transfer or a retirement,
-- and say which way it goes. Into the pots of a retired jackpot nothing comes any more; what a correction left there
-- may still be moved out.
CREATE FUNCTION jackpot_check_rows_of_changes() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    wrong record;
BEGIN
    SELECT added.level_id, added.kind INTO wrong
      FROM added LEFT JOIN jackpot_entry AS entry ON entry.id = added.entry_id
     WHERE added.kind IN ('adjustment', 'transfer_in', 'transfer_out')
       AND ((entry.kind = 'adjustment') IS DISTINCT FROM (added.kind = 'adjustment')
            OR (added.kind <> 'adjustment' AND (entry.kind NOT IN ('transfer', 'retirement')
                                                OR (added.kind = 'transfer_in') <> (added.amount > 0))))
     LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'a row of level % says % and its entry does not', wrong.level_id, wrong.kind
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'row_of_change';
    END IF;
    SELECT level.id AS level_id INTO wrong
      FROM (SELECT DISTINCT level_id FROM added WHERE kind IN ('contribution', 'adjustment', 'transfer_in')) AS added
      JOIN jackpot_level AS level ON level.id = added.level_id
      JOIN jackpot_jackpot AS jackpot ON jackpot.id = level.jackpot_id AND jackpot.state = 'retired'
     LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'level % is that of a retired jackpot', wrong.level_id
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'jackpot_retired';
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER row_of_change AFTER INSERT ON jackpot_statementrow
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION jackpot_check_rows_of_changes();

-- The entry of such a change stands in the lane of the jackpot it was asked of, and has no other rows; beside that of a
-- transfer or retirement stands one in the lane of the jackpot that receives, and nothing else. No bets are locked out
-- at a retired jackpot.
CREATE FUNCTION jackpot_check_entries_of_changes() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    wrong bigint;
BEGIN
    SELECT entry.id INTO wrong
      FROM jackpot_entry AS entry
      LEFT JOIN jackpot_lane AS lane ON lane.id = entry.lane_id
      LEFT JOIN jackpot_jackpot AS jackpot ON jackpot.id = lane.jackpot_id
      LEFT JOIN jackpot_changerequest AS asked
        ON asked.id = substring(entry.source_ref FROM '^change:([0-9a-f-]{36})(?::in)?$')::uuid
     WHERE entry.lane_id = NEW.lane_id AND entry.link_seq = NEW.seq
       AND entry.kind IN ('adjustment', 'transfer', 'retirement')
       AND (asked.id IS NULL OR asked.kind <> entry.kind
            OR CASE WHEN entry.source_ref NOT LIKE '%:in' THEN asked.jackpot_id IS DISTINCT FROM jackpot.id
                    ELSE asked.jackpot_id = jackpot.id OR jackpot.code IS DISTINCT FROM CASE asked.kind
                         WHEN 'transfer' THEN split_part(asked.document ->> 'to', ':', 2)
                         WHEN 'retirement' THEN asked.document ->> 'to' END END
            OR EXISTS (SELECT FROM jackpot_statementrow AS row WHERE row.entry_id = entry.id
                          AND row.kind NOT IN ('adjustment', 'transfer_in', 'transfer_out')))
     LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'entry %: it stands in a lane, or with rows, that its change has nothing to do with', wrong
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'change_in_lane';
    END IF;
    SELECT entry.id INTO wrong
      FROM jackpot_lane AS lane
      JOIN jackpot_jackpot AS jackpot ON jackpot.id = lane.jackpot_id AND jackpot.state = 'retired'
      JOIN jackpot_entry AS entry ON entry.lane_id = lane.id AND entry.link_seq = NEW.seq AND entry.kind = 'lockout'
     WHERE lane.id = NEW.lane_id LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'entry %: bets were locked out at a retired jackpot', wrong
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'jackpot_retired';
    END IF;
    RETURN NEW;
END $$;

-- Named to come behind `change_approved` and before `link_seals`: triggers fire in the order of their names.
CREATE TRIGGER change_in_lane BEFORE INSERT ON jackpot_link
    FOR EACH ROW EXECUTE FUNCTION jackpot_check_entries_of_changes();

-- What leaves pots by a transfer or retirement comes into others by it, to the unit, whenever a transaction commits.
CREATE FUNCTION jackpot_check_transfer() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    moved numeric;
BEGIN
    SELECT sum(row.amount) INTO moved
      FROM jackpot_entry AS entry JOIN jackpot_statementrow AS row ON row.entry_id = entry.id
     WHERE entry.source_ref IN ('change:' || NEW.request_id, 'change:' || NEW.request_id || ':in')
       AND row.kind IN ('transfer_in', 'transfer_out');
    IF moved <> 0 THEN
        RAISE EXCEPTION 'change %: % more came into pots by it than left others', NEW.request_id, moved
            USING ERRCODE = 'check_violation', CONSTRAINT = 'transfer_whole';
    END IF;
    RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER transfer_whole AFTER INSERT ON jackpot_changedecision
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.decision = 'approved')
    EXECUTE FUNCTION jackpot_check_transfer();

-- A jackpot's state changes as listed, each time on record; it is retired by what two people decided.
CREATE FUNCTION jackpot_check_state_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    stands text;
BEGIN
    SELECT state INTO stands FROM jackpot_jackpot WHERE id = NEW.jackpot_id FOR NO KEY UPDATE;
    IF NEW.before IS DISTINCT FROM stands OR (NEW.before, NEW.after) NOT IN (
        ('active', 'suspended'), ('suspended', 'active'), ('suspended', 'retired')) THEN
        RAISE EXCEPTION 'jackpot %: from % it does not become %', NEW.jackpot_id, NEW.before, NEW.after
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'jackpot_state_follows';
    END IF;
    IF (NEW.after = 'retired') <> (NEW.request_id IS NOT NULL AND EXISTS (
        SELECT FROM jackpot_changerequest AS asked JOIN jackpot_changedecision AS decided ON decided.request_id = asked.id
         WHERE asked.id = NEW.request_id AND decided.decision = 'approved'
           AND (asked.kind, asked.jackpot_id, decided.by_id) = ('retirement', NEW.jackpot_id, NEW.by_id)))
       OR (NEW.after <> 'retired' AND NEW.request_id IS NOT NULL) THEN
        RAISE EXCEPTION 'jackpot %: two people retire it, and one does all else', NEW.jackpot_id
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'jackpot_retired_by_two';
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER jackpot_state_follows BEFORE INSERT ON jackpot_jackpotstatechange
    FOR EACH ROW EXECUTE FUNCTION jackpot_check_state_change();

-- A retired jackpot never comes back.
CREATE FUNCTION jackpot_keep_retired() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'jackpot %: it is retired and stays so', OLD.code
        USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'jackpot_retired';
END $$;

CREATE TRIGGER jackpot_retired BEFORE UPDATE OF state, state_since ON jackpot_jackpot
    FOR EACH ROW WHEN (OLD.state = 'retired'
                       AND (NEW.state, NEW.state_since) IS DISTINCT FROM (OLD.state, OLD.state_since))
    EXECUTE FUNCTION jackpot_keep_retired();

-- A jackpot begins active, and stands as its last change of state left it whenever a transaction commits.
CREATE FUNCTION jackpot_check_state_as_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    changed bigint := CASE TG_TABLE_NAME WHEN 'jackpot_jackpot' THEN (to_jsonb(NEW) ->> 'id')::bigint
                                         ELSE (to_jsonb(NEW) ->> 'jackpot_id')::bigint END;
BEGIN
    IF EXISTS (SELECT FROM jackpot_jackpot AS jackpot
                 LEFT JOIN LATERAL (SELECT "after", at FROM jackpot_jackpotstatechange
                                     WHERE jackpot_id = jackpot.id ORDER BY id DESC LIMIT 1) AS last ON true
                WHERE jackpot.id = changed AND (jackpot.state, jackpot.state_since)
                      IS DISTINCT FROM (coalesce(last."after", 'active'), last.at)) THEN
        RAISE EXCEPTION 'jackpot %: its state is not what its last change says', changed
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'jackpot_state_as_changed';
    END IF;
    RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER jackpot_state_as_changed AFTER INSERT ON jackpot_jackpotstatechange
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION jackpot_check_state_as_changed();
CREATE CONSTRAINT TRIGGER jackpot_state_kept AFTER INSERT OR UPDATE OF state, state_since ON jackpot_jackpot
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION jackpot_check_state_as_changed();
