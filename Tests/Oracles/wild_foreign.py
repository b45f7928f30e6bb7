"""SQLite files that are no SDK's, though some look like it, each with the verdict it must get.

One function a file. A function gets an empty database and says nothing, or gives what differs
from the usual verdict: an ordinary SQLite file.
"""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable

from maker.dotnet import DATASYNC_TABLES, MOBILE_APPS_TABLES, MOBILE_SERVICES_TABLES
from wild_sibling_tables import add
from wild_values import REALS, TEXTS

Verdict = dict[str, object] | None
ENTITY = "CREATE TABLE [TodoItem] ([id] TEXT PRIMARY KEY, [text] TEXT, [version] TEXT)"
ANDROID_OPERATIONS = (
    'CREATE TABLE "__operations" ("id" TEXT PRIMARY KEY, "kind" REAL, "tablename" TEXT,'
    ' "itemid" TEXT, "createdat" TEXT, "__queueloadedat" TEXT, "sequence" REAL, "state" REAL,'
    ' "item" TEXT)')
CORDOVA_OPERATIONS = (
    "CREATE TABLE [__operations] ([id] INTEGER PRIMARY KEY,[tableName] TEXT,[action] TEXT,"
    "[itemId] TEXT,[metadata] TEXT)")
PULL_TIME = "CREATE TABLE [__pulltime] ([id] TEXT PRIMARY KEY,[tableName] TEXT,[value] INTEGER)"
TOOLKIT_QUEUE = (
    'CREATE TABLE "DatasyncOperationsQueue" ("Id" TEXT NOT NULL PRIMARY KEY,'
    ' "Kind" INTEGER NOT NULL, "State" INTEGER NOT NULL, "LastAttempt" TEXT NULL,'
    ' "HttpStatusCode" INTEGER NULL, "EntityType" TEXT NOT NULL, "ItemId" TEXT NOT NULL,'
    ' "EntityVersion" TEXT NOT NULL, "Item" TEXT NOT NULL, "Sequence" INTEGER NOT NULL,'
    ' "Version" INTEGER NOT NULL)')


def run(database: sqlite3.Connection, *statements: str) -> None:
    """Carries out statements."""
    for statement in statements:
        database.execute(statement)


def no_tables(database: sqlite3.Connection, rng: random.Random) -> Verdict:
    """A database in which nothing was created."""
    run(database, "PRAGMA user_version = 3")


def operations_of_another_shape(database: sqlite3.Connection, rng: random.Random) -> Verdict:
    """All three names of the .NET clients, other columns."""
    run(database,
        "CREATE TABLE __operations (id INTEGER PRIMARY KEY, name TEXT, payload BLOB)",
        "CREATE TABLE __errors (id INTEGER PRIMARY KEY, message TEXT, at DATETIME)",
        "CREATE TABLE __config (id TEXT PRIMARY KEY, value TEXT)",
        "INSERT INTO __operations VALUES (1, 'compact', x'00ff'), (2, NULL, NULL)",
        "INSERT INTO __errors VALUES (4, 'disk full', '2024-05-01')",
        "INSERT INTO __config VALUES ('deltaToken|a|b', '2024-05-01T10:20:30.1230000+00:00')")


def core_data_imitation(database: sqlite3.Connection, rng: random.Random) -> Verdict:
    """Names that begin with Z, without Core Data's own tables."""
    run(database,
        "CREATE TABLE ZTODOITEM (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,"
        " ZTEXT VARCHAR)",
        "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR)",
        "INSERT INTO ZTODOITEM VALUES (3, 1, 1, 'milk'), (9, 1, 2, NULL)",
        "INSERT INTO Z_PRIMARYKEY VALUES (1, 'TodoItem')")


def core_data_half(database: sqlite3.Connection, rng: random.Random) -> Verdict:
    """Only one of Core Data's own tables."""
    run(database,
        "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255),"
        " Z_PLIST BLOB)",
        "INSERT INTO Z_METADATA VALUES (1, 'E621E1F8-C36C-495A-93FC-0C247A3E6E5F', x'62')")


def entity_framework_app(database: sqlite3.Connection, rng: random.Random) -> Verdict:
    """An app of EF Core that does not synchronise; what looks like a system column is not."""
    run(database,
        'CREATE TABLE "__EFMigrationsHistory" ("MigrationId" TEXT NOT NULL PRIMARY KEY,'
        ' "ProductVersion" TEXT NOT NULL)',
        'CREATE TABLE "Blogs" ("Id" INTEGER NOT NULL CONSTRAINT "PK_Blogs" PRIMARY KEY'
        ' AUTOINCREMENT, "Url" TEXT NULL, "UpdatedAt" TEXT NULL, "Version" INTEGER NOT NULL,'
        ' "Deleted" INTEGER NOT NULL)',
        "INSERT INTO \"__EFMigrationsHistory\" VALUES ('20240101000000_Initial', '8.0.1')",
        "INSERT INTO Blogs VALUES (5, 'https://example.org', '2024-05-01 10:20:30+00:00', 2, 0),"
        " (7, NULL, NULL, -1, 9)")


def toolkit_queue_alone(database: sqlite3.Connection, rng: random.Random) -> Verdict:
    """The queue's table without the tokens' one."""
    run(database, TOOLKIT_QUEUE,
        "INSERT INTO DatasyncOperationsQueue VALUES ('q1', 2, 0, NULL, NULL, 'A.B', 'a1', '',"
        " '{}', 1, 0)")


def toolkit_tokens_alone(database: sqlite3.Connection, rng: random.Random) -> Verdict:
    """The tokens' table without the queue's one."""
    run(database,
        'CREATE TABLE "DatasyncDeltaTokens" ("Id" TEXT NOT NULL PRIMARY KEY,'
        ' "Value" INTEGER NOT NULL)',
        "INSERT INTO DatasyncDeltaTokens VALUES ('A.B', 5)")


def android_metadata_only(database: sqlite3.Connection, rng: random.Random) -> Verdict:
    """What every Android database begins with."""
    run(database, "CREATE TABLE android_metadata (locale TEXT)",
        "INSERT INTO android_metadata VALUES ('en_US')", "PRAGMA user_version = 1")


def android_app(database: sqlite3.Connection, rng: random.Random) -> Verdict:
    """An Android app's own database, with a version column of its own."""
    run(database, "CREATE TABLE android_metadata (locale TEXT)",
        "INSERT INTO android_metadata VALUES ('en_US')",
        "CREATE TABLE notes (_id INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT, version INTEGER,"
        " updatedat INTEGER, deleted TEXT)",
        "INSERT INTO notes VALUES (10, 'a', 3, 1714558830123, 'no'), (11, NULL, NULL, 0, NULL)",
        "PRAGMA user_version = 7")


def browser_history(database: sqlite3.Connection, rng: random.Random) -> Verdict:
    """A browser's schema: long VARCHARs, indexes, a meta table."""
    run(database,
        "CREATE TABLE meta (key LONGVARCHAR NOT NULL UNIQUE PRIMARY KEY, value LONGVARCHAR)",
        "CREATE TABLE urls (id INTEGER PRIMARY KEY AUTOINCREMENT, url LONGVARCHAR,"
        " title LONGVARCHAR, visit_count INTEGER DEFAULT 0 NOT NULL,"
        " last_visit_time INTEGER NOT NULL, hidden INTEGER DEFAULT 0 NOT NULL)",
        "CREATE TABLE visits (id INTEGER PRIMARY KEY, url INTEGER NOT NULL,"
        " visit_time INTEGER NOT NULL, from_visit INTEGER, duration INTEGER)",
        "CREATE INDEX visits_url_index ON visits (url)",
        "CREATE INDEX urls_hidden ON urls (url) WHERE hidden = 0",
        "INSERT INTO meta VALUES ('version', '42'), ('mmap_status', '-1')",
        "INSERT INTO urls VALUES (1, 'https://example.org/ü', 'Ü', 2, 13360032030123456, 0)",
        "INSERT INTO visits VALUES (8, 1, 13360032030123456, 0, NULL)")


def without_row_ids(database: sqlite3.Connection, rng: random.Random) -> Verdict:
    """Tables without row ids; their rows are numbered in the order of the key."""
    run(database,
        "CREATE TABLE words (word TEXT PRIMARY KEY, n INTEGER) WITHOUT ROWID",
        "CREATE TABLE pairs (b INTEGER, a TEXT COLLATE NOCASE, v REAL, PRIMARY KEY (a, b))"
        " WITHOUT ROWID",
        "CREATE TABLE rowid_named (rowid TEXT PRIMARY KEY, x) WITHOUT ROWID",
        "CREATE INDEX words_n ON words (n)",
        "INSERT INTO words VALUES ('zebra', 1), ('Ape', 3), ('ape', 2), ('', 4), ('ü', 0)",
        "INSERT INTO pairs VALUES (2, 'B', 0.5), (1, 'b', 1), (9, 'A', NULL), (3, 'a', 1e300)",
        "INSERT INTO rowid_named VALUES ('q', 1), ('b', 'two')")


def generated_columns(database: sqlite3.Connection, rng: random.Random) -> Verdict:
    """Columns that are computed from others; they hold nothing of their own."""
    run(database,
        "CREATE TABLE boxes (id INTEGER PRIMARY KEY, w INTEGER, area INTEGER AS (w * h),"
        " h INTEGER, name TEXT, loud TEXT GENERATED ALWAYS AS (upper(name)) STORED, last TEXT)",
        "INSERT INTO boxes (id, w, h, name, last) VALUES (1, 2, 3, 'a', 'z'),"
        " (4, NULL, 3, NULL, '')")


def views_and_triggers(database: sqlite3.Connection, rng: random.Random) -> Verdict:
    """Views that would be bookkeeping if they were tables, and triggers."""
    run(database,
        "CREATE TABLE real_things (id TEXT PRIMARY KEY, n INTEGER)",
        "CREATE VIEW __operations AS SELECT id, 0 AS kind, 0 AS state, 'real_things' AS tableName,"
        " 0 AS tableKind, id AS itemId, NULL AS item, 0 AS createdAt, n AS sequence, 1 AS version"
        " FROM real_things",
        "CREATE VIEW __errors AS SELECT id, 400 AS httpStatus, 0 AS operationKind FROM real_things",
        "CREATE VIEW __config AS SELECT id, n AS value FROM real_things",
        "CREATE VIEW broken AS SELECT * FROM not_there",
        "CREATE TRIGGER on_insert AFTER INSERT ON real_things BEGIN"
        " UPDATE real_things SET n = n + 1 WHERE id = new.id; END",
        "INSERT INTO real_things VALUES ('a', 1), ('b', 2)")


def full_text_and_r_tree(database: sqlite3.Connection, rng: random.Random) -> Verdict:
    """Virtual tables are not read, the tables behind them are."""
    run(database,
        "CREATE VIRTUAL TABLE boxes USING rtree(id, x0, x1)",
        "INSERT INTO boxes VALUES (1, 0.5, 1.5), (2, -1, 4)",
        "CREATE VIRTUAL TABLE docs USING fts4(title, body)",
        "INSERT INTO docs (title, body) VALUES ('one', 'first words'), ('two', NULL)",
        "CREATE TABLE plain (id TEXT, note TEXT)",
        "INSERT INTO plain VALUES ('a', 'b')")


def untyped_and_mixed(database: sqlite3.Connection, rng: random.Random) -> Verdict:
    """Columns without a type or with SQLite's loosest ones, of one class and of several."""
    run(database,
        "CREATE TABLE loose (a, b, c, d, e, f, g)",
        "INSERT INTO loose VALUES (1, 1.5, 'x', x'00', 1, 'x', NULL),"
        " (2, 2, 'y', x'01', 'two', x'02', NULL), (NULL, NULL, '', x'', 'three', 5, NULL),"
        " (-5, 9007199254740993, NULL, NULL, 4, 1.5, NULL)",
        "CREATE TABLE numeric (n NUMERIC, price DECIMAL(10,2), at DATETIME, ok BOOLEAN, d DATE,"
        " s STRING, m MONEY)",
        "INSERT INTO numeric VALUES (1, 19.95, '2024-05-01 10:20:30', 1, '2024-05-01', '007', 5),"
        " (2, 20, '2024-05-02', 0, 20240501, 'x', '€5'), (3, '1.50', NULL, 'true', NULL, 'y', 6.5)",
        "CREATE TABLE affinities (i BIGINT, t NVARCHAR(20), b BLOB, r DOUBLE PRECISION,"
        " trap FLOATING POINT, charint CHARINT, clob CLOB)",
        "INSERT INTO affinities VALUES (1, 2, 'text', 3, 4, 5, 6), ('x', x'ff', 7, 'y', 'z', 'w',"
        " x'00'), (1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5), (NULL, NULL, NULL, NULL, NULL, NULL, NULL)")
    for value in (*REALS, *TEXTS[:20]):
        add(database, "loose", {"a": value if rng.random() < 0.5 else None, "b": 0.25})


def strict_tables(database: sqlite3.Connection, rng: random.Random) -> Verdict:
    """Strict tables; a column of type ANY is as its values are."""
    run(database,
        "CREATE TABLE strict_ones (id INTEGER PRIMARY KEY, i INT, r REAL, t TEXT, b BLOB, x ANY,"
        " y ANY) STRICT",
        "INSERT INTO strict_ones VALUES (1, 2, 3, '4', x'05', '00123', 1), (6, NULL, 1e300, '',"
        " x'', 'text', 2.5)")


def row_id_names(database: sqlite3.Connection, rng: random.Random) -> Verdict:
    """Columns that hide the row id under one, two or all of its names."""
    run(database,
        "CREATE TABLE one (rowid TEXT, x INTEGER)",
        "CREATE TABLE two (rowid TEXT, _rowid_ TEXT, x INTEGER)",
        "CREATE TABLE alias (oid INTEGER PRIMARY KEY, rowid TEXT, _rowid_ TEXT)",
        "CREATE TABLE descending (id INTEGER PRIMARY KEY DESC, x TEXT)",
        "CREATE TABLE counted (n INTEGER PRIMARY KEY AUTOINCREMENT, x TEXT)",
        "INSERT INTO one (_rowid_, rowid, x) VALUES (70, 'a', 1), (20, 'b', 2)",
        "INSERT INTO two (oid, rowid, x) VALUES (70, 'a', 1), (-20, 'b', 2)",
        "INSERT INTO alias VALUES (70, 'a', 'b'), (20, 'c', 'd')",
        "INSERT INTO descending VALUES (70, 'a'), (20, 'c')",
        "INSERT INTO counted VALUES (9223372036854775807, 'last'), (-5, 'first')")


def awkward_names(database: sqlite3.Connection, rng: random.Random) -> Verdict:
    """Names of tables and columns that need care in SQL, files and shells."""
    names = ('quo"te', "apos'", "[br]", "a b", "select", "Größe", "任务", "../up", "a/b", "a\\b",
             ".hidden", "CON", "trailing.", "new\nline", "*", "%s", "$(x)", "rehome_operation",
             "rehome", "--x", "x" * 200, "🎉", "=1+1", "<a>&amp;")
    for name in names:
        quoted = '"' + name.replace('"', '""') + '"'
        run(database, f'CREATE TABLE {quoted} ("_pk" TEXT, {quoted} TEXT)')
        add(database, name, {"_pk": "mine", name: "value"})


def wide_table(database: sqlite3.Connection, rng: random.Random) -> Verdict:
    """Three hundred columns."""
    columns = ", ".join(f"c{at} {rng.choice(('TEXT', 'INTEGER', 'REAL'))}" for at in range(300))
    run(database, f"CREATE TABLE wide ({columns})")
    for _ in range(3):
        add(database, "wide", {f"c{at}": rng.randint(0, 99) for at in range(0, 300, 2)})


def utf_16(database: sqlite3.Connection, rng: random.Random) -> Verdict:
    """Text kept in UTF-16."""
    run(database, "PRAGMA encoding = 'UTF-16le'", "CREATE TABLE t (id TEXT, ü TEXT)",
        "INSERT INTO t VALUES ('a', 'Größe 🎉'), ('b', '')")


def dotnet_without_errors(database: sqlite3.Connection, rng: random.Random) -> Verdict:
    """Two of the three tables of the .NET clients."""
    run(database, ENTITY, MOBILE_APPS_TABLES[0], MOBILE_APPS_TABLES[2],
        "INSERT INTO __config VALUES ('systemProperties|TodoItem', '4')")


def cordova_with_errors(database: sqlite3.Connection, rng: random.Random) -> Verdict:
    """The Cordova client has no table of errors."""
    run(database, ENTITY, CORDOVA_OPERATIONS, PULL_TIME,
        "CREATE TABLE __errors (id TEXT PRIMARY KEY, message TEXT)",
        "INSERT INTO __operations VALUES (1, 'TodoItem', 'insert', 'a', '{}')")


def cordova_without_pull_times(database: sqlite3.Connection, rng: random.Random) -> Verdict:
    """A log of operations alone."""
    run(database, ENTITY, CORDOVA_OPERATIONS,
        "INSERT INTO __operations VALUES (1, 'TodoItem', 'insert', 'a', '{}')")


def android_with_config(database: sqlite3.Connection, rng: random.Random) -> Verdict:
    """The Android client has no `__config`."""
    run(database, ENTITY, ANDROID_OPERATIONS, "CREATE TABLE __config (id TEXT, value TEXT)",
        'CREATE TABLE "__incrementalpulldata" ("id" TEXT PRIMARY KEY, "maxupdateddate" TEXT)')


def datasync_with_table_kind(database: sqlite3.Connection, rng: random.Random) -> Verdict:
    """Errors of one client, operations of another."""
    run(database, ENTITY, MOBILE_APPS_TABLES[0], *DATASYNC_TABLES[1:])


def bookkeeping_in_upper_case(database: sqlite3.Connection, rng: random.Random) -> Verdict:
    """Names are compared without regard to case, so this is a store of the .NET client."""
    upper = [each.replace("__operations", "__OPERATIONS").replace("createdAt", "CREATEDAT")
             .replace("__config", "__Config").replace("httpStatus", "HTTPSTATUS")
             for each in MOBILE_APPS_TABLES]
    run(database, ENTITY, *upper, "INSERT INTO TodoItem VALUES ('a', 'b', 'v')",
        "INSERT INTO __operations (id, kind, state, tableName, tableKind, itemId, sequence)"
        " VALUES ('x', 1, 0, 'TodoItem', 0, 'a', 1)")
    return {"layout": "azure-mobile-dotnet", "generation": "b"}


def dotnet_without_rows(database: sqlite3.Connection, rng: random.Random) -> Verdict:
    """A client that never ran: only its bookkeeping."""
    run(database, *MOBILE_SERVICES_TABLES)
    return {"layout": "azure-mobile-dotnet", "generation": "a3"}


def toolkit_names_of_another_shape(database: sqlite3.Connection, rng: random.Random) -> Verdict:
    """The Toolkit's two names, other columns."""
    run(database, "CREATE TABLE DatasyncOperationsQueue (id INTEGER PRIMARY KEY, note TEXT)",
        "CREATE TABLE DatasyncDeltaTokens (name TEXT)",
        "INSERT INTO DatasyncOperationsQueue VALUES (1, 'x')")


def errors_of_both_clients(database: sqlite3.Connection, rng: random.Random) -> Verdict:
    """No client makes both status columns in one table."""
    run(database, ENTITY, *MOBILE_APPS_TABLES, "ALTER TABLE __errors ADD COLUMN status INTEGER")


def keys_of_descending_order(database: sqlite3.Connection, rng: random.Random) -> Verdict:
    """A key that descends numbers its rows in the order of the file."""
    run(database,
        "CREATE TABLE down (a TEXT, b INTEGER, PRIMARY KEY (b DESC, a)) WITHOUT ROWID",
        "INSERT INTO down VALUES ('x', 1), ('y', 2), ('a', 2)")


def all_row_id_names(database: sqlite3.Connection, rng: random.Random) -> Verdict:
    """No name is left for the row id."""
    run(database, "CREATE TABLE three (rowid TEXT, _rowid_ TEXT, oid TEXT)",
        "INSERT INTO three VALUES ('a', 'b', 'c'), ('d', 'e', 'f')")


Recipe = Callable[[sqlite3.Connection, random.Random], Verdict]
CONTESTED: tuple[Recipe, ...] = (
    toolkit_names_of_another_shape, errors_of_both_clients, keys_of_descending_order,
    all_row_id_names,
)


def named(recipes: tuple[Recipe, ...]) -> dict[str, Recipe]:
    """Recipes by name."""
    return {recipe.__name__.replace("_", "-"): recipe for recipe in recipes}


CONTESTED_RECIPES = named(CONTESTED)
RECIPES = named((
    no_tables, operations_of_another_shape, core_data_imitation, core_data_half,
    entity_framework_app, toolkit_queue_alone, toolkit_tokens_alone, android_metadata_only,
    android_app, browser_history, without_row_ids, generated_columns, views_and_triggers,
    full_text_and_r_tree, untyped_and_mixed, strict_tables, row_id_names, awkward_names,
    wide_table, utf_16, dotnet_without_errors, cordova_with_errors, cordova_without_pull_times,
    android_with_config, datasync_with_table_kind, bookkeeping_in_upper_case,
    dotnet_without_rows,
))
