/// A storage engine that keeps a database as a folder of files.
enum ForeignEngine: CaseIterable {
  case forestDB
  case levelDB

  /// Tells an engine by the names in its folder.
  init?(_ names: Set<String>) {
    if names.contains(where: Self.isForest), !names.contains("db.sqlite3") {
      // What describes the folder is read, and refused with its name.
      guard !names.contains("db.forest.meta") else { return nil }
      self = .forestDB
    } else if names.contains("CURRENT"), names.contains(where: { $0.hasPrefix("MANIFEST-") }) {
      self = .levelDB
    } else {
      return nil
    }
  }

  private static func isForest(_ name: String) -> Bool {
    let mark = "db.forest."
    return name.hasPrefix(mark)
      && name.utf8.dropFirst(mark.utf8.count).allSatisfy { $0 &- UInt8(ascii: "0") < 10 }
  }

  private var name: String { self == .forestDB ? "ForestDB" : "LevelDB or RocksDB" }

  /// What such databases are called where they are only counted.
  var databases: String { "databases of \(name)" }

  /// Whether a person should know of each; browsers leave those of LevelDB behind in every app.
  var isRare: Bool { self == .forestDB }

  /// Why it is not read.
  var failure: PlaceFailure {
    PlaceFailure(
      .unsupported, "this is a store of \(name), which is not read",
      hint: "export its data with the app, or with the engine's own tools, as JSON")
  }

  /// The first engine of which a place has databases.
  static func first(in tally: PlaceTally) -> ForeignEngine? {
    allCases.first { tally.counts[$0.databases] != nil }
  }
}
