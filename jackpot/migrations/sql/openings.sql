-- Jackpots that two people open, and what they change of the tables (`ledger.sql` says how it is refused).

-- As in `change_requests.sql`, for all kinds there are by now.
CREATE OR REPLACE FUNCTION jackpot_check_change_entries() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    wrong bigint;
BEGIN
    SELECT entry.id INTO wrong FROM jackpot_entry AS entry
     WHERE entry.lane_id = NEW.lane_id AND entry.link_seq = NEW.seq
       AND entry.kind IN ('policy', 'adjustment', 'transfer', 'retirement', 'correction', 'opening', 'table', 'rule_set',
                          'declined')
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

-- What opens a jackpot or changes the tables posts nothing, and stands in the lane of the site it was asked of, alone.
CREATE FUNCTION jackpot_check_entries_of_sites() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    wrong bigint;
BEGIN
    SELECT entry.id INTO wrong
      FROM jackpot_entry AS entry
      LEFT JOIN jackpot_lane AS lane ON lane.id = entry.lane_id
      LEFT JOIN jackpot_changerequest AS asked ON entry.source_ref = 'change:' || asked.id
     WHERE entry.lane_id = NEW.lane_id AND entry.link_seq = NEW.seq AND entry.kind IN ('opening', 'table', 'rule_set')
       AND (asked.site_id IS DISTINCT FROM lane.site_id OR entry.leg_count <> 0)
     LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'entry %: it posts something, or stands in a lane that its change has nothing to do with', wrong
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'change_of_site';
    END IF;
    RETURN NEW;
END $$;

-- Named to come behind `change_approved` and before `link_seals`: triggers fire in the order of their names.
CREATE TRIGGER change_of_site BEFORE INSERT ON jackpot_link
    FOR EACH ROW EXECUTE FUNCTION jackpot_check_entries_of_sites();

-- As in `policies.sql`; the first version is that of the opening which two people stand for, or of a command's.
CREATE OR REPLACE FUNCTION jackpot_check_policy() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    last record;
    asked record;
    opened record;
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
    SELECT request.kind, request.jackpot_id, request.site_id, request.document, decided.decision, decided.at INTO asked
      FROM jackpot_changedecision AS decided JOIN jackpot_changerequest AS request ON request.id = decided.request_id
     WHERE decided.id = NEW.change_id;
    SELECT jackpot.home_site_id, jackpot.opened_at, jsonb_build_object('jackpot', jackpot.code, 'name', jackpot.name,
           'currency', jackpot.currency_code, 'site', site.code, 'policy', NEW.document) AS document INTO opened
      FROM jackpot_jackpot AS jackpot JOIN jackpot_site AS site ON site.id = jackpot.home_site_id
     WHERE jackpot.id = NEW.jackpot_id;
    IF NEW.version > 1 AND (asked.kind, asked.jackpot_id, asked.document, asked.decision) IS DISTINCT FROM
       ('policy', NEW.jackpot_id, NEW.document, 'approved')
       OR NEW.version > 1 AND NEW.in_force_at <> greatest(asked.at, last.in_force_at)
       OR NEW.version = 1 AND NEW.change_id IS NOT NULL
          AND ((asked.kind, asked.site_id, asked.document, asked.decision) IS DISTINCT FROM
               ('opening', opened.home_site_id, opened.document, 'approved')
               OR (NEW.in_force_at, opened.opened_at) IS DISTINCT FROM (asked.at, asked.at)) THEN
        RAISE EXCEPTION 'policy version % is not what was approved, or not from then on', NEW.version
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'policy_approved';
    END IF;
    RETURN NEW;
END $$;

CREATE FUNCTION jackpot_check_opening_is_there() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM jackpot_changerequest WHERE id = NEW.request_id AND kind = 'opening')
       AND NOT EXISTS (SELECT FROM jackpot_policyversion WHERE change_id = NEW.id) THEN
        RAISE EXCEPTION 'change %: the jackpot whose opening was approved is not there', NEW.request_id
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'opening_carried_out';
    END IF;
    RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER opening_carried_out AFTER INSERT ON jackpot_changedecision
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.decision = 'approved')
    EXECUTE FUNCTION jackpot_check_opening_is_there();
