-- Changes that one person asks for and another decides on (`ledger.sql` says how it is refused).

CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON jackpot_changerequest
    FOR EACH STATEMENT EXECUTE FUNCTION jackpot_refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON jackpot_changedecision
    FOR EACH STATEMENT EXECUTE FUNCTION jackpot_refuse_change();

-- Who asked neither approves nor refuses, and nobody else withdraws. The decision comes before its entry is sealed: an
-- approval with an entry of the request's kind, anything else with one that only records it (`declined`, no legs).
CREATE FUNCTION jackpot_check_change_decision() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    asked record;
    entry record;
BEGIN
    SELECT id, kind, asked_by_id INTO asked FROM jackpot_changerequest WHERE id = NEW.request_id;
    IF (asked.asked_by_id = NEW.by_id) <> (NEW.decision = 'withdrawn') THEN
        RAISE EXCEPTION 'change %: % by the person who % it', NEW.request_id, NEW.decision,
            CASE WHEN NEW.decision = 'withdrawn' THEN 'did not ask for' ELSE 'asked for' END
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'change_second_person';
    END IF;
    SELECT kind, source_ref, actor, leg_count, link.id IS NOT NULL AS sealed INTO entry
      FROM jackpot_entry LEFT JOIN jackpot_link AS link
        ON link.lane_id = jackpot_entry.lane_id AND link.seq = jackpot_entry.link_seq
     WHERE jackpot_entry.id = NEW.entry_id;
    IF entry.sealed OR (entry.kind, entry.source_ref, entry.actor) IS DISTINCT FROM
       (CASE NEW.decision WHEN 'approved' THEN asked.kind ELSE 'declined' END, 'change:' || NEW.request_id,
        'user:' || NEW.by_id) OR (NEW.decision <> 'approved' AND entry.leg_count <> 0) THEN
        RAISE EXCEPTION 'change %: entry % does not carry it out or record it, or is sealed', NEW.request_id, NEW.entry_id
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'change_of_entry';
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER change_decided BEFORE INSERT ON jackpot_changedecision
    FOR EACH ROW EXECUTE FUNCTION jackpot_check_change_decision();

-- No entry that needs two people is sealed without their decision: neither the one that carries it out (`change:ID`)
-- nor what comes with it (`change:ID:...`).
CREATE FUNCTION jackpot_check_change_entries() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    wrong bigint;
BEGIN
    SELECT entry.id INTO wrong FROM jackpot_entry AS entry
     WHERE entry.lane_id = NEW.lane_id AND entry.link_seq = NEW.seq
       AND entry.kind IN ('policy', 'adjustment', 'transfer', 'retirement', 'correction', 'declined')
       AND NOT EXISTS (SELECT FROM jackpot_changedecision AS decided
                        WHERE decided.request_id = substring(entry.source_ref FROM '^change:([0-9a-f-]{36})(?:$|:)')::uuid
                          AND (decided.entry_id = entry.id OR (decided.decision = 'approved'
                               AND entry.source_ref <> 'change:' || decided.request_id)))
     LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'entry %: nobody asked for it, or nobody else approved it', wrong
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'change_approved';
    END IF;
    RETURN NEW;
END $$;

-- Named to come before `link_seals`: triggers fire in the order of their names.
CREATE TRIGGER change_approved BEFORE INSERT ON jackpot_link
    FOR EACH ROW EXECUTE FUNCTION jackpot_check_change_entries();
