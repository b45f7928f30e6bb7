import Bytes
import CommandLineKit
import Readers
import Records

/// `--type` and `--rename` of a seed, each given to the plain file that it names.
struct SeedCorrections {
  private let types: [String]
  private let names: [String]
  private let isAlone: Bool
  /// The tables of each input, by its path.
  private let tables: [String: [String]]

  /// Reads the options.
  ///
  /// - Throws: `StoreError` when there are several inputs and a correction names none of them.
  init(_ settings: RunSettings) throws(StoreError) {
    let arguments = settings.arguments
    types = arguments.values("type").map(\.text)
    names = arguments.values("rename").map(\.text)
    let inputs = arguments.positionals("INPUT").map(\.text)
    isAlone = inputs.count == 1
    var tables: [String: [String]] = [:]
    if !isAlone, !(types + names).isEmpty {
      for path in inputs {
        tables[path] = try settings.opening(for: path)
          .tableNames(ofPlainFileAt: settings.file(for: path))
      }
    }
    self.tables = tables
    guard !isAlone else { return }
    let known = tables.values.flatMap(\.self)
    for correction in types + names {
      let isKnown = known.contains {
        correction.hasPrefix($0 + ".") || correction.hasPrefix($0 + "=")
      }
      guard isKnown else {
        throw StoreError(
          .usage, "\(correction) names no table of a plain file",
          hint: "a plain file is the table that its name says")
      }
    }
  }

  /// The corrections that name the table of a file; all of them where there is one input.
  func fitting(_ path: String, _ settings: RunSettings) -> Corrections {
    guard !isAlone else { return Corrections(types: types, names: names) }
    let own = tables[path] ?? []
    return Corrections(
      types: types.filter { type in own.contains { type.hasPrefix($0 + ".") } },
      names: names.filter { name in own.contains { name.hasPrefix($0 + "=") } })
  }
}
