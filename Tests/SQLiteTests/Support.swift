import Foundation
import SQLite
import TestSupport

/// A database in memory after some statements.
func memory(_ sql: String) throws -> Connection {
  let connection = try Connection(scratchInMemory: true)
  try connection.execute(sql)
  return connection
}

extension TemporaryFolder {
  /// Makes a database with Python: the engine runs each statement, then closes.
  @discardableResult
  func database(_ sql: String, named name: String = "store.sqlite") throws -> String {
    _ = try Python.run(
      """
      import sqlite3, sys
      db = sqlite3.connect(sys.argv[1])
      db.executescript(sys.stdin.read())
      db.close()
      """, arguments: [path(name)], input: Data(sql.utf8))
    return path(name)
  }

  /// Runs a script in the folder that makes what a test needs.
  func run(_ script: String, arguments: [String] = []) throws {
    _ = try Python.run(
      "import os, shutil, sqlite3, struct, sys\nos.chdir(sys.argv[1])\n" + script,
      arguments: [path] + arguments)
  }
}
