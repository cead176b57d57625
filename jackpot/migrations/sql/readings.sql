-- Readings of signs are evidence: never changed, removed or emptied (`ledger.sql` says how guards are named).

CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON jackpot_reading
    FOR EACH STATEMENT EXECUTE FUNCTION jackpot_refuse_change();
