/// The tables that the Community Toolkit keeps beside those of an app's entities.
enum ToolkitTables {
  static let all = """
    CREATE TABLE DatasyncDeltaTokens (Id TEXT NOT NULL PRIMARY KEY, Value INTEGER NOT NULL);
    CREATE TABLE DatasyncOperationsQueue (Id TEXT NOT NULL PRIMARY KEY, Kind INTEGER NOT NULL,
      State INTEGER NOT NULL, LastAttempt TEXT, HttpStatusCode INTEGER, EntityType TEXT NOT NULL,
      ItemId TEXT NOT NULL, EntityVersion TEXT NOT NULL, Item TEXT NOT NULL,
      Sequence INTEGER NOT NULL, Version INTEGER NOT NULL);
    """
}
