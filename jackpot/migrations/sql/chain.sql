-- Sealing: a link's digest covers every row of its batch, each field behind its length, in a fixed order, and the
-- previous link. Computed from what is stored, so that what was changed later no longer fits.
CREATE FUNCTION jackpot_sealed_text(VARIADIC fields text[]) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT string_agg(coalesce(length(field) || ':' || field, '-'), ',' ORDER BY n)
      FROM unnest(fields) WITH ORDINALITY AS listed (field, n)
$$;

CREATE FUNCTION jackpot_instant(at timestamptz) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT (extract(epoch FROM at) * 1000000)::bigint::text
$$;

CREATE FUNCTION jackpot_link_digest(in_lane bigint, in_seq bigint, previous bytea) RETURNS bytea LANGUAGE sql STABLE AS $$
    WITH entries AS (SELECT * FROM jackpot_entry WHERE lane_id = in_lane AND link_seq = in_seq),
    sealed (kind, a, b, c, line) AS (
        SELECT 1, id, 0::bigint, 0::bigint,
               jackpot_sealed_text('entry', id::text, kind, source_ref, table_ref, integrator_id::text, leg_count::text,
                   jackpot_instant(event_at), jackpot_instant(posted_at), actor, reason, reverses_id::text,
                   encode(facts_digest, 'hex'))
          FROM entries
        UNION ALL
        SELECT 2, leg.entry_id, leg.position::bigint, 0,
               jackpot_sealed_text('leg', leg.entry_id::text, leg.position::text, leg.account_id::text,
                   leg.amount::text, to_char(leg.gaming_day, 'YYYY-MM-DD'))
          FROM entries JOIN jackpot_leg AS leg ON leg.entry_id = entries.id
        UNION ALL
        SELECT 3, row.level_id, ascii(row.pot)::bigint, row.seq,
               jackpot_sealed_text('row', row.level_id::text, row.pot, row.seq::text, row.kind, row.amount::text,
                   row.before::text, row.after::text, row.entry_id::text, to_char(row.gaming_day, 'YYYY-MM-DD'))
          FROM entries JOIN jackpot_statementrow AS row ON row.entry_id = entries.id
        UNION ALL
        SELECT 4, award.entry_id, award.position::bigint, 0,
               jackpot_sealed_text('award', award.id::text, award.jackpot_id::text, award.entry_id::text,
                   award.position::text, award.kind, award.hit_id::text, award.source_ref::text, award.table_ref,
                   award.box::text, award.player, award.hand, award.amount::text, award.level_id::text,
                   award.policy_id::text, award.meter_before::text, award.meter_after::text, award.reset_to::text,
                   award.seq::text, award.late::text, award.facts::text, jackpot_instant(award.hit_at))
          FROM entries JOIN jackpot_award AS award ON award.entry_id = entries.id
    )
    SELECT sha256(previous || convert_to(jackpot_sealed_text('link', in_lane::text, in_seq::text) || E'\n'
               || coalesce(string_agg(line, E'\n' ORDER BY kind, a, b, c), ''), 'UTF8'))
      FROM sealed
$$;
