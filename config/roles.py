"""The application's role: what `config.grants` lists, granted by the owner of the schema, and nothing beside it.

Applied after each migration (`manage.py migrate`), always as a whole, so that it can be repeated. Where PostgreSQL then
says that the role may do more, or less, it is refused: a superuser or a member of the owner is bound by no grant.
"""

from collections.abc import Iterable

from django.db import transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.utils import CursorWrapper
from psycopg import sql

from config.grants import GRANTS, NONE, SEQUENCES, Rights

_LOCK = 7_221_044_981_316_552
"""Advisory: of two migrations at once the second grants after the first."""


class RoleError(RuntimeError):
    """The role can't be what it should; the message says why, and what to do."""


def apply(connection: BaseDatabaseWrapper, role: str) -> None:
    """Give the role exactly its rights in this database. `connection` is the owner's. Raises RoleError."""
    with transaction.atomic(using=connection.alias), connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_LOCK])
        _see_that_it_is_there(cursor, role)
        if trouble := unbound(cursor, role):
            raise RoleError(f"the role {role} {trouble}: grants do not bind it; give the service another")
        tables = columns_of(cursor)
        for statement in (*_revocations(cursor, role), *_grants(role, tables)):
            cursor.execute(statement.as_string())
        if trouble := "; ".join([*_differences(cursor, role, tables), *_beside_tables(cursor, role)]):
            raise RoleError(f"the role {role} has other rights than config/grants.py lists: {trouble}")


def owns_the_tables(connection: BaseDatabaseWrapper) -> bool:
    """Whether who is connected may do with the tables of the schema what their owner may."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT EXISTS (SELECT FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'
                              AND pg_has_role(relowner, 'MEMBER'))
            """
        )
        return bool(cursor.fetchone()[0])


def unbound(cursor: CursorWrapper, role: str) -> str:
    """Why grants do not bind a role, such as "is a superuser"; empty where they do."""
    cursor.execute(
        """
        SELECT CASE WHEN rolsuper THEN 'is a superuser'
                    WHEN rolcreaterole THEN 'may make roles'
                    WHEN pg_has_role(rolname, current_user, 'MEMBER') THEN 'is a member of the owner ' || current_user
                    WHEN has_parameter_privilege(rolname, 'session_replication_role', 'SET')
                    THEN 'may switch triggers off' ELSE '' END
          FROM pg_roles WHERE rolname = %s
        """,
        [role],
    )
    return str(cursor.fetchone()[0])


def columns_of(cursor: CursorWrapper) -> dict[str, set[str]]:
    """The columns of every table of the schema."""
    cursor.execute(
        """
        SELECT relname, array_agg(attname::text) FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
         WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'f')
           AND attnum > 0 AND NOT attisdropped
         GROUP BY relname
        """
    )
    return {table: set(columns) for table, columns in cursor.fetchall()}


def rights_of(cursor: CursorWrapper, role: str) -> dict[str, Rights]:
    """What the role may do to each table of the schema, by whatever grant, as PostgreSQL answers."""
    cursor.execute(
        """
        SELECT relname, has_any_column_privilege(%(role)s, pg_class.oid, 'SELECT'),
               has_any_column_privilege(%(role)s, pg_class.oid, 'INSERT'),
               has_table_privilege(%(role)s, pg_class.oid, 'DELETE'),
               coalesce(array_agg(attname::text)
                        FILTER (WHERE has_column_privilege(%(role)s, pg_class.oid, attnum, 'UPDATE')), '{}')
          FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
         WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'f')
           AND attnum > 0 AND NOT attisdropped
         GROUP BY pg_class.oid
        """,
        {"role": role},
    )
    return {table: Rights(read, add, remove, frozenset(change)) for table, read, add, remove, change in cursor}


def _see_that_it_is_there(cursor: CursorWrapper, role: str) -> None:
    """Make the role where the owner may. Others may make it at the same time: roles belong to the whole server."""
    cursor.execute("SELECT FROM pg_roles WHERE rolname = %s", [role])
    if cursor.rowcount:
        return
    cursor.execute("SELECT FROM pg_roles WHERE rolname = current_user AND (rolsuper OR rolcreaterole)")
    if not cursor.rowcount:
        raise RoleError(f"there is no role {role}, and the owner may not make it: CREATE ROLE {role} LOGIN PASSWORD …")
    made = sql.SQL("CREATE ROLE {} LOGIN").format(sql.Identifier(role)).as_string()
    cursor.execute(f"DO $do$ BEGIN {made}; EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $do$")


def _revocations(cursor: CursorWrapper, role: str) -> Iterable[sql.Composed]:
    """What anybody has by default goes too: with a temporary table one could stand before a real one."""
    cursor.execute("SELECT current_database(), current_schema()")
    database, schema = map(sql.Identifier, cursor.fetchone())
    who = sql.Identifier(role)
    for words in (
        "REVOKE ALL ON ALL TABLES IN SCHEMA {schema} FROM PUBLIC, {who}",
        "REVOKE ALL ON ALL SEQUENCES IN SCHEMA {schema} FROM PUBLIC, {who}",
        "REVOKE CREATE ON SCHEMA {schema} FROM PUBLIC, {who}",
        "REVOKE CREATE, TEMPORARY ON DATABASE {database} FROM PUBLIC, {who}",
        "GRANT CONNECT ON DATABASE {database} TO {who}",
        "GRANT USAGE ON SCHEMA {schema} TO {who}",
    ):
        yield sql.SQL(words).format(schema=schema, database=database, who=who)


def _grants(role: str, tables: dict[str, set[str]]) -> Iterable[sql.Composed]:
    """For the tables and columns that are there: a migration may have gone back to an older schema."""
    who = sql.Identifier(role)
    for table, rights in GRANTS.items():
        if table not in tables:
            continue
        verbs = [sql.SQL("SELECT")]
        verbs += [sql.SQL("INSERT")] if rights.add else []
        verbs += [sql.SQL("DELETE")] if rights.remove else []
        words: list[sql.Composable] = [*verbs]
        if columns := sorted(rights.change & tables[table]):
            words.append(sql.SQL("UPDATE ({})").format(sql.SQL(", ").join(map(sql.Identifier, columns))))
        yield sql.SQL("GRANT {} ON {} TO {}").format(sql.SQL(", ").join(words), sql.Identifier(table), who)
    if {name.removesuffix("_id_seq") for name in SEQUENCES} <= tables.keys():
        names = sql.SQL(", ").join(map(sql.Identifier, sorted(SEQUENCES)))
        yield sql.SQL("GRANT USAGE ON SEQUENCE {} TO {}").format(names, who)


def _differences(cursor: CursorWrapper, role: str, tables: dict[str, set[str]]) -> Iterable[str]:
    for table, found in rights_of(cursor, role).items():
        listed = GRANTS.get(table, NONE)
        expected = Rights(listed.read, listed.add, listed.remove, listed.change & tables[table])
        if found != expected:
            yield f"{table}: {found}"


def _beside_tables(cursor: CursorWrapper, role: str) -> Iterable[str]:
    """What no table's line may give: to empty a table, to make anything, to set a sequence."""
    cursor.execute(
        """
        SELECT 'may empty ' || relname FROM pg_class
         WHERE relkind IN ('r', 'p') AND relnamespace = current_schema()::regnamespace
           AND has_table_privilege(%(role)s, oid, 'TRUNCATE, TRIGGER, REFERENCES')
        UNION ALL
        SELECT 'may use ' || relname FROM pg_class
         WHERE relkind = 'S' AND relnamespace = current_schema()::regnamespace
           AND (has_sequence_privilege(%(role)s, oid, 'UPDATE')
                OR has_sequence_privilege(%(role)s, oid, 'USAGE') AND relname <> ALL (%(sequences)s))
        UNION ALL
        SELECT 'may make things in the schema ' || nspname FROM pg_namespace
         WHERE has_schema_privilege(%(role)s, oid, 'CREATE')
        UNION ALL
        SELECT 'may make temporary tables: REVOKE TEMPORARY ON DATABASE ' || current_database() || ' FROM PUBLIC'
         WHERE has_database_privilege(%(role)s, current_database(), 'CREATE, TEMPORARY')
        """,
        {"role": role, "sequences": sorted(SEQUENCES)},
    )
    return [trouble for (trouble,) in cursor.fetchall()]
