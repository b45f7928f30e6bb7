/// The bookkeeping of format 1, as `rehome-store(5)` describes it.
///
/// Columns are named as the fields of the JSON reports, so that one word means one thing.
enum CanonicalSchema {
  /// `RHM1`, the mark in the file's header.
  static let applicationID = 0x5248_4D31
  /// The format that this tool writes.
  static let version = 1

  /// What people have decided about operations; stores made before there was such a table get it
  /// with their first mark.
  static let markTable = """
    CREATE TABLE IF NOT EXISTS rehome_mark (
      id INTEGER PRIMARY KEY, sequence INTEGER NOT NULL, mark TEXT NOT NULL, at TEXT NOT NULL,
      who TEXT, why TEXT) STRICT
    """

  /// What devices would send for their operations; only stores of several sources have it.
  static let deviceItemTable = """
    CREATE TABLE IF NOT EXISTS rehome_device_item (
      operation INTEGER PRIMARY KEY, "table" TEXT, item TEXT, body TEXT, updatedAt TEXT,
      version TEXT) STRICT
    """

  /// What stands before the hash of a file that was read in the place of a device's own.
  static let readFrom = "readFrom "

  /// The tables of the bookkeeping.
  static let statements = [
    markTable,
    """
    CREATE TABLE rehome_meta (key TEXT NOT NULL PRIMARY KEY, value TEXT) STRICT
    """,
    """
    CREATE TABLE rehome_source (
      id INTEGER PRIMARY KEY, name TEXT NOT NULL, layout TEXT NOT NULL, generation TEXT,
      evidence TEXT NOT NULL, metadata TEXT NOT NULL, nameOrigin TEXT NOT NULL,
      readAt TEXT NOT NULL, toolVersion TEXT NOT NULL) STRICT
    """,
    """
    CREATE TABLE rehome_source_file (
      source INTEGER NOT NULL, name TEXT NOT NULL, bytes INTEGER NOT NULL, sha256 TEXT NOT NULL,
      PRIMARY KEY (source, name)) STRICT
    """,
    """
    CREATE TABLE rehome_table (
      name TEXT NOT NULL PRIMARY KEY, position INTEGER NOT NULL, sourceName TEXT NOT NULL,
      sourceTable TEXT NOT NULL, "read" INTEGER NOT NULL DEFAULT 0,
      written INTEGER NOT NULL DEFAULT 0, rejected INTEGER NOT NULL DEFAULT 0,
      filtered INTEGER NOT NULL DEFAULT 0) STRICT
    """,
    """
    CREATE TABLE rehome_column (
      "table" TEXT NOT NULL, position INTEGER NOT NULL, name TEXT NOT NULL,
      sourceName TEXT NOT NULL, sourceColumn TEXT NOT NULL, type TEXT NOT NULL,
      role TEXT NOT NULL, nullable INTEGER NOT NULL, target TEXT,
      PRIMARY KEY ("table", position)) STRICT
    """,
    """
    CREATE TABLE rehome_operation (
      sequence INTEGER PRIMARY KEY, source INTEGER NOT NULL, "table" TEXT, itemId TEXT,
      kind TEXT, state TEXT NOT NULL, item TEXT, baseVersion TEXT, rowKey INTEGER,
      rowTable TEXT, originalId TEXT, originalCode TEXT, raw ANY) STRICT
    """,
    """
    CREATE TABLE rehome_error (
      id INTEGER PRIMARY KEY, source INTEGER NOT NULL, "table" TEXT, itemId TEXT, kind TEXT,
      status INTEGER, code TEXT, message TEXT, item TEXT, serverItem TEXT, operation INTEGER,
      originalId TEXT, originalOperationId TEXT, raw ANY) STRICT
    """,
    """
    CREATE TABLE rehome_token (
      id INTEGER PRIMARY KEY, source INTEGER NOT NULL, "table" TEXT, query TEXT,
      updatedAt TEXT, raw TEXT) STRICT
    """,
    """
    CREATE TABLE rehome_finding (
      id INTEGER PRIMARY KEY, source INTEGER NOT NULL, code TEXT NOT NULL,
      severity TEXT NOT NULL, "table" TEXT, itemId TEXT, operation INTEGER,
      message TEXT NOT NULL) STRICT
    """,
    """
    CREATE TABLE rehome_reject (
      id INTEGER PRIMARY KEY, source INTEGER NOT NULL, "table" TEXT NOT NULL,
      "row" INTEGER NOT NULL, "column" TEXT NOT NULL, code TEXT NOT NULL,
      storage TEXT NOT NULL, raw ANY) STRICT
    """,
    """
    CREATE TABLE rehome_replay (
      id INTEGER PRIMARY KEY, sequence INTEGER NOT NULL, at TEXT NOT NULL, event TEXT NOT NULL,
      detail TEXT, target TEXT, attempt INTEGER, status INTEGER, version TEXT) STRICT
    """,
  ]

  /// What stores of several sources have besides: the rows that gave way to others.
  static let mergedItem = "ALTER TABLE rehome_finding ADD COLUMN item TEXT"

  /// What the journal was given after the first stores had been made; they get it when they are
  /// replayed.
  static let laterReplayColumns = [
    ("target", "TEXT"), ("attempt", "INTEGER"), ("status", "INTEGER"), ("version", "TEXT"),
  ]
}
