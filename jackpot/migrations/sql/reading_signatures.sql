-- Signatures of variances: what must never happen to them (`ledger.sql` says how it is refused).

CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON jackpot_readingsignature
    FOR EACH STATEMENT EXECUTE FUNCTION jackpot_refuse_change();

-- What is signed is a variance beyond the tolerance, the one there is by the statement (a sign shows whole minor units),
-- the first signature before the second, neither before the reading was entered.
CREATE FUNCTION jackpot_check_signature() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    reading record;
    variance numeric;
BEGIN
    SELECT read.level_id, read.shown, read.read_at, read.entered_at, read.tolerance, read.signed INTO reading
      FROM (SELECT jackpot_reading.*, (SELECT count(*) FROM jackpot_readingsignature
                                        WHERE reading_id = jackpot_reading.id) AS signed
              FROM jackpot_reading) AS read WHERE read.id = NEW.reading_id;
    SELECT reading.shown - (row.after - row.after % 1000000) INTO variance
      FROM jackpot_statementrow AS row JOIN jackpot_entry AS entry ON entry.id = row.entry_id
     WHERE row.level_id = reading.level_id AND row.pot = 'meter' AND entry.posted_at <= reading.read_at
     ORDER BY row.seq DESC LIMIT 1;
    IF NEW.variance IS DISTINCT FROM variance OR abs(variance) <= reading.tolerance
       OR NEW.number <> reading.signed + 1 OR NEW.signed_at < reading.entered_at THEN
        RAISE EXCEPTION 'reading %: this is not its variance, or not one to be signed', NEW.reading_id
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'reading_variance';
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER reading_variance BEFORE INSERT ON jackpot_readingsignature
    FOR EACH ROW EXECUTE FUNCTION jackpot_check_signature();
