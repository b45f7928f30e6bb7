import Foundation
import TestSupport
import Testing

/// Stores that are made from a sample by changing a copy of it with Python's sqlite3.
enum AlteredStore {
  /// The 2014 sample after `statements` were run on it.
  static func make(in folder: TemporaryFolder, _ statements: String) throws -> String {
    let path = folder.path("store.sqlite")
    try FileManager.default.copyItem(
      atPath: Project.path("samples/ios-2014/qstodoitem.sqlite"), toPath: path)
    let script = """
      import sqlite3, sys
      with sqlite3.connect(sys.argv[1]) as db:
          db.executescript("PRAGMA synchronous = OFF;" + sys.argv[2])
      """
    _ = try python(script, path, statements)
    return path
  }

  /// A store with so many rows that commands take long enough to be stopped.
  static func makeLarge(in folder: TemporaryFolder, rows: Int) throws -> String {
    try make(
      in: folder,
      """
      WITH RECURSIVE n(i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows + 99))
      INSERT INTO ZTODOITEM (Z_PK, Z_ENT, Z_OPT, ZCOMPLETE, ZID, ZTEXT)
      SELECT i, 3, 1, 0, printf('item-%08d', i), 'Text of item ' || i FROM n;
      UPDATE Z_PRIMARYKEY SET Z_MAX = \(rows + 99) WHERE Z_NAME = 'TodoItem';
      """)
  }

  /// A store with two values that no text column can take.
  static func makeWithBadValues(in folder: TemporaryFolder) throws -> String {
    try make(
      in: folder,
      """
      UPDATE ZTODOITEM SET ZTEXT = x'ff' WHERE Z_PK = 1;
      UPDATE ZTODOITEM SET ZTEXT = CAST(x'ff41' AS TEXT) WHERE Z_PK = 2;
      """)
  }
}
