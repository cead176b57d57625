-- What must never happen to awards, refused by PostgreSQL under a name (`ledger.sql` says how).

-- Awards: everything but the state is frozen at the hit, and the state moves only as accounting.md §4 lists.
CREATE FUNCTION jackpot_check_award() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (to_jsonb(OLD) - 'state') <> (to_jsonb(NEW) - 'state') THEN
        RAISE EXCEPTION 'award %: what was frozen at the hit is never changed', OLD.id
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'award_frozen';
    END IF;
    IF OLD.state <> NEW.state AND (OLD.state, NEW.state) NOT IN (
        ('pending', 'approved'), ('approved', 'paid'), ('pending', 'disputed'), ('approved', 'disputed'),
        ('disputed', 'approved'), ('disputed', 'rejected'), ('pending', 'withdrawn'),
        ('approved', 'withdrawn'), ('disputed', 'withdrawn')) THEN
        RAISE EXCEPTION 'award %: % does not become %', OLD.id, OLD.state, NEW.state
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'award_moves';
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER award_frozen BEFORE UPDATE ON jackpot_award
    FOR EACH ROW EXECUTE FUNCTION jackpot_check_award();
CREATE TRIGGER award_append_only BEFORE DELETE OR TRUNCATE ON jackpot_award
    FOR EACH STATEMENT EXECUTE FUNCTION jackpot_refuse_change();

-- Awards come before their entry is sealed: then they are held against what it owes (`chain.sql`), and none comes later.
CREATE FUNCTION jackpot_check_awards_in() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM (SELECT DISTINCT entry_id FROM added) AS added
                 JOIN jackpot_entry AS entry ON entry.id = added.entry_id
                 JOIN jackpot_link AS link ON link.lane_id = entry.lane_id AND link.seq = entry.link_seq) THEN
        RAISE EXCEPTION 'an award names an entry that is sealed already'
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'award_in_time';
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER award_in_time AFTER INSERT ON jackpot_award
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION jackpot_check_awards_in();
