import Foundation
import SQLite
import TestSupport

@testable import Opening
@testable import Records

/// A store that Python's SQLite makes from SQL, in a folder of its own.
final class SQLStore {
  let path: String
  private let folder: URL
  // Readers only borrow it.
  private let interruption = Interruption { false }

  /// Runs the statements of `sql` on a new database.
  init(_ sql: String, name: String = "store.db") throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("readers-tests-" + UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    path = folder.appendingPathComponent(name).path
    _ = try Python.run(
      """
      import sqlite3, sys
      database = sqlite3.connect(sys.argv[1])
      database.execute("PRAGMA synchronous = OFF")
      database.executescript(sys.stdin.read())
      database.close()
      """, arguments: [path], input: Data(sql.utf8))
  }

  /// Copies a store that exists, with its side files.
  init(copyOf original: URL) throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("readers-tests-" + UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    path = folder.appendingPathComponent(original.lastPathComponent).path
    for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: original.path + suffix)
    {
      try FileManager.default.copyItem(atPath: original.path + suffix, toPath: path + suffix)
    }
  }

  deinit {
    // A leftover in the system's temporary folder harms nobody.
    try? FileManager.default.removeItem(at: folder)
  }

  /// Opens the store as the commands do.
  func reader(_ corrections: Corrections = Corrections()) throws -> any StoreReader {
    try opening(corrections).reader(forStoreAt: path)
  }

  /// Opens a Core Data store with a model that has these entities, in the form of Xcode's sources.
  func reader(modelledBy entities: String) throws -> any StoreReader {
    var opening = opening(Corrections())
    opening.modelPath = folder.appendingPathComponent("contents").path
    try Data(source(entities)).write(to: folder.appendingPathComponent("contents"))
    return try opening.reader(forStoreAt: path)
  }

  private func opening(_ corrections: Corrections) -> StoreOpening {
    StoreOpening(
      temporaryFolder: folder.path, interruption: interruption, corrections: corrections)
  }

  /// The contents of the store's files, by name.
  func files() throws -> [String: Data] {
    var files: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      files[name] = FileManager.default.contents(atPath: folder.appendingPathComponent(name).path)
    }
    return files
  }
}
