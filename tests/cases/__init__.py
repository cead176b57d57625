"""Failures that others had in public, each as a test of ours: what must not happen here, and its right answer.

The failures are numbered; a test of one has its number in its name (`test_02_…`), and stands in the module of its
subject: `test_hands`, `test_payouts`, `test_ledger` with `test_ledger_proofs` and `test_ledger_races`,
`test_operation`, `test_strict_reading`, `test_sizes`, `test_incidents`. A test tries the smallest input at the
outermost door that makes sense (the API, else a service, else SQL), and then what else of its kind could go wrong.
What takes processes, or minutes, is tried once, where such tests stand: `index` names it.
"""
