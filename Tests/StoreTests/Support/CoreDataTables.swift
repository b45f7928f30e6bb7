/// The tables that every Core Data store has.
enum CoreDataTables {
  /// Those about the store itself, as SQL; which entities there are is still to be said.
  static let bookkeeping = """
    CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
    INSERT INTO Z_METADATA VALUES (1, 'A', NULL);
    CREATE TABLE Z_PRIMARYKEY
      (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);

    """
}
