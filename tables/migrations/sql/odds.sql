-- What was worked out of a rule set stays as it was (`jackpot/migrations/sql/ledger.sql` says how).

CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON tables_rulesetodds
    FOR EACH STATEMENT EXECUTE FUNCTION jackpot_refuse_change();
