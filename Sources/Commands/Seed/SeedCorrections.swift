import Bytes
import CommandLineKit
import Readers
import Records

/// `--type` and `--rename` of a seed, each given to the plain file that it names.
struct SeedCorrections {
  private let types: [String]
  private let names: [String]
  private let isAlone: Bool

  /// Reads the options.
  ///
  /// - Throws: `StoreError` when there are several inputs and a correction names none of them.
  init(_ arguments: ParsedArguments) throws(StoreError) {
    types = arguments.values("type").map(\.text)
    names = arguments.values("rename").map(\.text)
    let inputs = arguments.positionals("INPUT").map(\.text)
    isAlone = inputs.count == 1
    guard !isAlone else { return }
    let tables = inputs.map(StoreOpening.tableName(ofPlainFileAt:))
    for correction in types + names {
      let isKnown = tables.contains {
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
    let table = StoreOpening.tableName(ofPlainFileAt: path)
    return Corrections(
      types: types.filter { $0.hasPrefix(table + ".") },
      names: names.filter { $0.hasPrefix(table + "=") })
  }
}
