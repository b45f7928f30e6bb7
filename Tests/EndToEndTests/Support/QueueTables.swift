/// The tables in which SDKs keep their queues and what they know of the server, as SQL makes them.
enum QueueTables {
  /// Those of PowerSync, beside the tables of the app.
  static let powerSync = """
    CREATE TABLE ps_migration(id INTEGER PRIMARY KEY, down_migrations TEXT);
    INSERT INTO ps_migration VALUES (12, '[]');
    CREATE TABLE ps_crud (id INTEGER PRIMARY KEY AUTOINCREMENT, data TEXT, tx_id INTEGER);
    CREATE TABLE ps_untyped(type TEXT NOT NULL, id TEXT NOT NULL, data TEXT);
    CREATE TABLE ps_oplog(bucket INTEGER, op_id INTEGER, row_type TEXT, row_id TEXT, data TEXT);
    CREATE TABLE ps_buckets(id INTEGER PRIMARY KEY, name TEXT, target_op INTEGER);
    """

  /// Those of PowerSync with a table `todos` of the app, of a text `a` and a number `n`.
  static let powerSyncTodos =
    powerSync + """

      CREATE TABLE "ps_data__todos"(id TEXT PRIMARY KEY NOT NULL, data TEXT);
      CREATE VIEW "todos"("id", "a", "n") AS SELECT id, CAST(json_extract(data, '$.a') as TEXT),
        CAST(json_extract(data, '$.n') as INTEGER) FROM "ps_data__todos"
        -- powersync-auto-generated

      """

  /// Those of the SDK for .NET.
  static let dotNet = """
    CREATE TABLE __operations (id TEXT PRIMARY KEY, kind INTEGER, state INTEGER,
      tableName TEXT, tableKind INTEGER, itemId TEXT, item TEXT, createdAt DATETIME,
      sequence INTEGER, version INTEGER);
    CREATE TABLE __errors (id TEXT PRIMARY KEY, httpStatus INTEGER,
      operationVersion INTEGER, operationKind INTEGER, tableName TEXT, tableKind INTEGER,
      item TEXT, rawResult TEXT);
    CREATE TABLE __config (id TEXT PRIMARY KEY, value TEXT);
    """

  /// Those of its first versions.
  static let firstDotNet = """
    CREATE TABLE __operations (id TEXT PRIMARY KEY, kind INTEGER, tableName TEXT, itemId TEXT,
      item TEXT, __createdAt REAL, sequence INTEGER);
    CREATE TABLE __errors (id TEXT PRIMARY KEY, httpStatus INTEGER, operationKind INTEGER,
      tableName TEXT, tableKind INTEGER, item TEXT, rawResult TEXT);
    CREATE TABLE __config (id TEXT PRIMARY KEY, value TEXT);
    """
}
