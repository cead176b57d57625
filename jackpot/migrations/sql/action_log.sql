-- What people did in the console is on record: never changed, removed or emptied (`ledger.sql` says how guards are named).

CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON django_admin_log
    FOR EACH STATEMENT EXECUTE FUNCTION jackpot_refuse_change();
