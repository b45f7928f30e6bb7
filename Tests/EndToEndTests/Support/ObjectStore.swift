import TestSupport

/// Core Data stores that SQL makes, and their models in the form of Xcode's sources.
enum ObjectStore {
  /// Makes a store of entities, which are numbered from 1 in their order; each may have a parent.
  static func make(
    _ name: String, in folder: TemporaryFolder, of entities: [(name: String, parent: String?)],
    _ sql: String
  ) throws -> String {
    let numbers = Dictionary(
      uniqueKeysWithValues: entities.enumerated().map { ($1.name, $0 + 1) })
    let rows = entities.map { entity in
      "(\(numbers[entity.name] ?? 0), '\(entity.name)', "
        + "\(entity.parent.flatMap { numbers[$0] } ?? 0), 99)"
    }
    let path = folder.path(name)
    try Devices.execute(
      path,
      """
      CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
      INSERT INTO Z_METADATA VALUES (1, 'A', NULL);
      CREATE TABLE Z_PRIMARYKEY
        (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
      INSERT INTO Z_PRIMARYKEY VALUES \(rows.joined(separator: ", "));
      \(sql)
      """)
    return path
  }

  /// Makes a store with its model, of a list of entities that Python makes, and fills it by statements
  /// about `store` and `queue`.
  static func describe(
    _ name: String, in folder: TemporaryFolder, of entities: String, _ statements: String = "",
    hasModel: Bool = true
  ) throws -> String {
    let path = folder.path(name)
    let script = """
      import sys
      from decimal import Decimal
      from pathlib import Path
      from uuid import UUID
      sys.path.insert(0, sys.argv[2])
      from maker.azure import *
      from maker.model import Attribute as A, Entity, Model, Relationship
      from maker.store import *
      options = StoreOptions("7B1F0E5C-92D4-4A6B-8C3E-20150108B000", cache=sys.argv[3] == "true")
      """
    _ = try python(
      script + "\nstore = StoreWriter(Path(sys.argv[1]), Model(\(entities)), options)\n"
        + "queue = Queue(store)\n\(statements)\nstore.finish()", path,
      Project.path("samples"), "\(hasModel)")
    return path
  }

  /// Writes a model of entities.
  static func writeModel(_ entities: String, in folder: TemporaryFolder) throws -> String {
    try folder.write(
      """
      <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
      \(entities)
      </model>
      """, to: "contents")
  }
}
