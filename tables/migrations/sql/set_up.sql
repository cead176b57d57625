-- How tables are set up, and versions of rule sets: what two people stand for (`ledger.sql` of the jackpot says how it is
-- refused).

CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON tables_tablesetup
    FOR EACH STATEMENT EXECUTE FUNCTION jackpot_refuse_change();

-- A setup follows the last one of its table, in the lane of its jackpot or else of its site, and is what one person asked
-- for and another approved, from then on. The first one of a table that a command opens has nobody's approval.
CREATE FUNCTION tables_check_setup() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    last record;
    asked record;
    wanted jsonb;
BEGIN
    SELECT number, in_force_at INTO last FROM tables_tablesetup
     WHERE table_id = NEW.table_id ORDER BY number DESC LIMIT 1;
    IF NEW.number <> coalesce(last.number, 0) + 1 OR NEW.in_force_at < last.in_force_at
       OR NOT EXISTS (SELECT FROM jackpot_lane AS lane JOIN tables_table AS held ON held.id = NEW.table_id
                       WHERE lane.id = NEW.lane_id
                         AND CASE WHEN NEW.jackpot_id IS NULL THEN lane.site_id = held.site_id
                                  ELSE lane.jackpot_id = NEW.jackpot_id END) THEN
        RAISE EXCEPTION 'setup % of table % does not follow the last one, or stands in another lane', NEW.number,
            NEW.table_id USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'table_setup_follows';
    END IF;
    IF NEW.number = 1 AND NEW.change_id IS NULL THEN
        RETURN NEW;
    END IF;
    SELECT request.kind, request.site_id, request.document, decided.decision, decided.at INTO asked
      FROM jackpot_changedecision AS decided JOIN jackpot_changerequest AS request ON request.id = decided.request_id
     WHERE decided.id = NEW.change_id;
    SELECT jsonb_build_object('table', held.code, 'name', held.name, 'site', site.code, 'currency', held.currency_code,
               'rule_set', (SELECT code FROM tables_ruleset WHERE id = NEW.rule_set_id),
               'jackpot', (SELECT code FROM jackpot_jackpot WHERE id = NEW.jackpot_id)) INTO wanted
      FROM tables_table AS held JOIN jackpot_site AS site ON site.id = held.site_id
     WHERE held.id = NEW.table_id AND site.id = asked.site_id;
    IF (asked.kind, asked.decision, asked.document, greatest(asked.at, last.in_force_at)) IS DISTINCT FROM
       ('table', 'approved', wanted, NEW.in_force_at) THEN
        RAISE EXCEPTION 'setup % of table % is not what was approved, or not from then on', NEW.number, NEW.table_id
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'table_approved';
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER table_setup_follows BEFORE INSERT ON tables_tablesetup
    FOR EACH ROW EXECUTE FUNCTION tables_check_setup();

-- A table stands as its last setup says, whenever a transaction commits.
CREATE FUNCTION tables_check_as_set_up() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    changed bigint := CASE TG_TABLE_NAME WHEN 'tables_table' THEN (to_jsonb(NEW) ->> 'id')::bigint
                                         ELSE (to_jsonb(NEW) ->> 'table_id')::bigint END;
BEGIN
    IF EXISTS (SELECT FROM tables_table AS held
                 LEFT JOIN LATERAL (SELECT * FROM tables_tablesetup WHERE table_id = held.id
                                     ORDER BY number DESC LIMIT 1) AS last ON true
                WHERE held.id = changed
                  AND (held.rule_set_id, held.jackpot_id, held.lane_id, held.set_up_at) IS DISTINCT FROM
                      (last.rule_set_id, last.jackpot_id, last.lane_id,
                       CASE WHEN last.number > 1 THEN last.in_force_at END)) THEN
        RAISE EXCEPTION 'table %: it is not as its last setup says', changed
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'table_as_set_up';
    END IF;
    RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER table_as_set_up AFTER INSERT OR UPDATE OF rule_set_id, jackpot_id, lane_id, set_up_at
    ON tables_table DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION tables_check_as_set_up();
CREATE CONSTRAINT TRIGGER setup_of_table AFTER INSERT ON tables_tablesetup
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION tables_check_as_set_up();

-- A version of a rule set follows the last one and is what two people stand for, in force from the approval or from a
-- later instant that was asked for: rounds that are locked out by then keep theirs. First versions come by a command.
CREATE FUNCTION tables_check_rule_set() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    last record;
    asked record;
BEGIN
    SELECT version, in_force_at INTO last FROM tables_rulesetversion
     WHERE rule_set_id = NEW.rule_set_id ORDER BY version DESC LIMIT 1;
    IF NEW.version <> coalesce(last.version, 0) + 1 OR NEW.in_force_at < last.in_force_at THEN
        RAISE EXCEPTION 'version % of a rule set does not follow the last one', NEW.version
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'rule_set_follows';
    END IF;
    SELECT request.kind, request.document, decided.decision, decided.at INTO asked
      FROM jackpot_changedecision AS decided JOIN jackpot_changerequest AS request ON request.id = decided.request_id
     WHERE decided.id = NEW.change_id;
    IF NEW.version = 1 AND NEW.change_id IS NOT NULL
       OR NEW.version > 1 AND ((asked.kind, asked.decision, asked.document -> 'rules', asked.document -> 'version',
                                asked.document ->> 'rule_set') IS DISTINCT FROM
                               ('rule_set', 'approved', NEW.document, to_jsonb(NEW.version),
                                (SELECT code FROM tables_ruleset WHERE id = NEW.rule_set_id))
           OR NEW.in_force_at <> greatest(asked.at, (asked.document ->> 'in_force_at')::timestamptz, last.in_force_at))
    THEN
        RAISE EXCEPTION 'version % of a rule set is not what was approved, or not from then on', NEW.version
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'rule_set_approved';
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER rule_set_follows BEFORE INSERT ON tables_rulesetversion
    FOR EACH ROW EXECUTE FUNCTION tables_check_rule_set();

-- What was approved is there, whenever a transaction commits.
CREATE FUNCTION tables_check_set_up() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    asked text := (SELECT kind FROM jackpot_changerequest WHERE id = NEW.request_id);
BEGIN
    IF asked = 'table' AND NOT EXISTS (SELECT FROM tables_tablesetup WHERE change_id = NEW.id)
       OR asked = 'rule_set' AND NOT EXISTS (SELECT FROM tables_rulesetversion WHERE change_id = NEW.id) THEN
        RAISE EXCEPTION 'change %: what was approved is not there', NEW.request_id
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'set_up_carried_out';
    END IF;
    RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER set_up_carried_out AFTER INSERT ON jackpot_changedecision
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.decision = 'approved')
    EXECUTE FUNCTION tables_check_set_up();
