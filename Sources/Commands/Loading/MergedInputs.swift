import Bytes
import CommandLineKit
import Readers
import Records

/// Stores that become one store; each is opened twice, so that few files are open at a time.
struct MergedInputs: LoadInputs {
  private let paths: [String]
  private let settings: RunSettings
  private let merge: StoreMerge

  /// Looks at all stores, and decides which row of each item is kept.
  ///
  /// - Throws: `StoreError` of the first store that cannot be read, which names the others, too.
  init(_ paths: [String], _ settings: RunSettings) throws(StoreError) {
    self.paths = paths
    self.settings = settings
    merge = try StoreMerge(
      temporaryFolder: settings.temporaryFolder, interruption: settings.interruption)
    var progress = settings.makeProgress()
    defer { progress.clear() }
    var failures: [StoreError] = []
    for (number, path) in paths.enumerated() {
      progress.update(done: number, total: paths.count, label: "stores")
      do {
        let reader = try Self.open(path, settings)
        guard failures.isEmpty else { continue }
        try merge.survey(reader, label: path) { () throws(StoreError) in
          try settings.checkInterruption()
        }
      } catch {
        failures.append(try Self.named(error, path))
      }
    }
    if let first = failures.first { throw Self.error(first, failures) }
    try merge.settle()
  }

  var inputFiles: [String] { merge.inputFiles }
  var isMerging: Bool { true }

  func selections(_ selection: TableSelection?) throws(StoreError) -> [Set<Int>] {
    let all = Catalogue(tables: merge.tables, nameOrigin: .schema)
    let chosen = Set(try selection?.indices(in: all) ?? Array(all.tables.indices))
    return paths.map { _ in chosen }
  }

  func reader(at number: Int) throws(StoreError) -> any StoreReader {
    guard paths.indices.contains(number) else {
      throw StoreError(.internalError, "there is no source \(number)")
    }
    return try merge.merged(try Self.open(paths[number], settings), source: number)
  }

  private static func open(
    _ path: String, _ settings: RunSettings
  ) throws(StoreError) -> any StoreReader {
    do {
      return try settings.openStore(path)
    } catch {
      throw try named(error, path)
    }
  }

  /// The error with the name of the store; what stops the whole run is thrown.
  private static func named(_ error: StoreError, _ path: String) throws(StoreError) -> StoreError {
    guard error.kind != .interrupted else { throw error }
    var named = error
    named.path = error.path ?? path
    return named
  }

  /// The first error, with the other stores that cannot be read.
  private static func error(_ first: StoreError, _ failures: [StoreError]) -> StoreError {
    guard failures.count > 1 else { return first }
    var error = first
    let others = failures.dropFirst()
    let names = others.prefix(8).compactMap(\.path).joined(separator: ", ")
    let rest = others.count > 8 ? " and \(others.count - 8) more" : ""
    error.hint =
      [first.hint, "these cannot be read, either: \(names)\(rest)"].compactMap(\.self)
      .joined(separator: "; ")
    return error
  }
}
