import Foundation
import TestSupport
import Testing

/// Stores as the Cordova SDK leaves them, made by Python from statements.
enum CordovaStore {
  /// Makes a store with a table `note` (id, n, version) and a queue, and fills it.
  static func make(
    _ name: String, in folder: TemporaryFolder, _ statements: String
  ) throws -> String {
    let path = folder.path(name)
    let script = """
      import sqlite3, sys
      with sqlite3.connect(sys.argv[1]) as db:
          db.executescript('''
              CREATE TABLE note (id TEXT PRIMARY KEY, n INTEGER, version TEXT);
              CREATE TABLE __operations (id INTEGER PRIMARY KEY, tableName TEXT, action TEXT,
                itemId TEXT, metadata TEXT);
              CREATE TABLE __pulltime (id TEXT PRIMARY KEY, tableName TEXT, value INTEGER);
              ''' + sys.argv[2])
      """
    _ = try python(script, path, statements)
    return path
  }
}
