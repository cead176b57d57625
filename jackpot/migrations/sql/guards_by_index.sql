-- What a guard looks up, it looks up by an index, however little PostgreSQL expects there to be. A session plans each
-- query of a guard once, from the books as they are by then, and keeps the plan: some went through all entries, or all
-- legs, for each link from then on, while these grew. Without JIT: before PostgreSQL 18 a plan that goes through a table
-- all the same, such as one of three lanes, counts as so dear that each guard would be compiled first.
ALTER FUNCTION jackpot_check_change_entries() SET enable_seqscan = off;
ALTER FUNCTION jackpot_check_change_entries() SET jit = off;
ALTER FUNCTION jackpot_check_corrections() SET enable_seqscan = off;
ALTER FUNCTION jackpot_check_corrections() SET jit = off;
ALTER FUNCTION jackpot_check_entries_of_changes() SET enable_seqscan = off;
ALTER FUNCTION jackpot_check_entries_of_changes() SET jit = off;
ALTER FUNCTION jackpot_check_entries_of_sites() SET enable_seqscan = off;
ALTER FUNCTION jackpot_check_entries_of_sites() SET jit = off;
ALTER FUNCTION jackpot_check_entry_points() SET enable_seqscan = off;
ALTER FUNCTION jackpot_check_entry_points() SET jit = off;
ALTER FUNCTION jackpot_check_legs() SET enable_seqscan = off;
ALTER FUNCTION jackpot_check_legs() SET jit = off;
ALTER FUNCTION jackpot_check_link() SET enable_seqscan = off;
ALTER FUNCTION jackpot_check_link() SET jit = off;
ALTER FUNCTION jackpot_check_rows_of_changes() SET enable_seqscan = off;
ALTER FUNCTION jackpot_check_rows_of_changes() SET jit = off;
ALTER FUNCTION jackpot_check_statement() SET enable_seqscan = off;
ALTER FUNCTION jackpot_check_statement() SET jit = off;
