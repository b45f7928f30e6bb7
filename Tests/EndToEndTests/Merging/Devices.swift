import Foundation
import TestSupport
import Testing

/// Stores of several devices, made by Python, and the judgement of Python on what became of them.
enum Devices {
  /// Makes canonical stores at random, as `Tests/Oracles/random_devices.py` does.
  static func makeRandom(_ count: Int, seed: Int, in folder: TemporaryFolder) throws -> [String] {
    let paths = (0..<count).map { folder.path("device-\(seed)-\($0).rehome") }
    let script = ProjectFolders.oracles.appending(path: "random_devices.py").path
    _ = try Python.run(file: script, arguments: ["\(seed)"] + paths)
    return paths
  }

  /// Makes one canonical store by statements about `device`, as `random_devices.py` describes it.
  static func make(
    _ name: String, in folder: TemporaryFolder, _ statements: String
  ) throws -> String {
    let path = folder.path(name)
    let script = """
      import random, sys
      from pathlib import Path
      sys.path.insert(0, sys.argv[2])
      from random_devices import Device
      device = Device(Path(sys.argv[1]), random.Random(0))
      sql = device.database.execute
      """
    _ = try python(
      script + "\n" + statements + "\ndevice.finish()", path, ProjectFolders.oracles.path)
    return path
  }

  /// Makes a store with a table `Item` of an id, a time, a version and a text.
  static func makeItems(
    _ name: String, in folder: TemporaryFolder, _ rows: String
  ) throws -> String {
    try make(
      name, in: folder,
      """
      device.make('Item', [('id', 'text', 'id', None), ('updatedAt', 'timestamp', 'updatedAt', None),
          ('version', 'text', 'version', None), ('text', 'text', 'value', None)])
      for key, row in enumerate([\(rows)], 1):
          device.add('Item', key, list(row))
      """)
  }

  /// Makes a store of Parse with objects told as `Class=id`, as `Tests/Oracles/parse_device.py` does.
  static func makeParse(
    _ name: String, in folder: TemporaryFolder, _ objects: String...
  ) throws -> String {
    let path = folder.path(name)
    let script = ProjectFolders.oracles.appending(path: "parse_device.py").path
    _ = try Python.run(file: script, arguments: [path, name] + objects)
    return path
  }

  /// Expects that a program which shares no code with the tool agrees with what became of stores.
  ///
  /// - Returns: how many rows gave way.
  @discardableResult
  static func expectMerged(_ merged: String, of sources: [String]) throws -> Int {
    let oracle = Project.path("Tests/Oracles/compare_merged.py")
    let outcome = try Program.python.run(["-B", oracle, merged] + sources)
    #expect(outcome.code == 0, "\(sources) \(outcome.text)\(outcome.error)")
    let last = outcome.text.split(separator: "\n").last ?? ""
    return Int(last.prefix { $0 != " " }) ?? 0
  }

  /// Runs statements in a store, which is made where there is none.
  static func execute(_ store: String, _ statements: String) throws {
    _ = try python(
      """
      import sqlite3, sys
      sqlite3.connect(sys.argv[1]).executescript(sys.argv[2])
      """, store, statements)
  }

  /// What a query gives, a row a line, the columns separated by bars.
  static func query(_ store: String, _ sql: String) throws -> String {
    try python(
      """
      import sqlite3, sys
      for row in sqlite3.connect(sys.argv[1]).execute(sys.argv[2]):
          print(*row, sep='|')
      """, store, sql)
  }
}
