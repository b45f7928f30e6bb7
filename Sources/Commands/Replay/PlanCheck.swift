import Bytes
import CommandLineKit
import Records
import Replay

/// Makes sure that a plan still is what would be done.
struct PlanCheck {
  private let path: String
  private let bytes: [UInt8]

  private static let limit = 1 << 30

  /// Reads the plan of `--from-plan`; nil where there is none.
  ///
  /// - Throws: `StoreError` when it cannot be read.
  init?(_ arguments: ParsedArguments) throws(StoreError) {
    guard let path = arguments.value("from-plan")?.text else { return nil }
    self.path = path
    bytes = try storeErrors { () throws(FileError) in try readFile(path, limit: Self.limit) }
  }

  /// What the journal calls the plan while it is carried out.
  var mark: String {
    var hash = SHA256()
    hash.update(bytes.span)
    return hash.finish().hexadecimal
  }

  /// Throws unless the plan that the store gives now is the same, byte for byte.
  ///
  /// `isBegun` says that a run of this very plan was the last to write to the journal.
  func check(
    _ source: ReplaySource, _ options: ReplayOptions, _ settings: RunSettings, isBegun: Bool
  ) throws(StoreError) {
    let lines = isBegun ? try journalLines() : .max
    let now = try PlannedReplay(source, options, settings, lineLimit: lines)
    var rest = bytes[...]
    var isSame = true
    try now.writeJSON { piece in
      isSame = isSame && rest.starts(with: piece)
      rest = rest.dropFirst(piece.count)
    }
    guard isSame, rest.isEmpty else {
      throw StoreError(
        .unsupported, path: path,
        "the plan is not what would be done now: the store, its journal, the options or the "
          + "plan were changed",
        hint: "make a new plan with --plan, and look at the difference")
    }
  }

  /// How many lines of the journal the plan knows of.
  private func journalLines() throws(StoreError) -> Int {
    let name = "\"journalLines\": "
    for line in bytes.prefix(64 << 10).split(separator: 0x0A).prefix(20) {
      let text = String(decoding: line, as: UTF8.self)
      guard let place = text.firstRange(of: name)?.upperBound,
        let count = Int(text[place...].prefix { $0.isNumber })
      else { continue }
      return count
    }
    throw StoreError(.damaged, path: path, "it is no plan of a replay")
  }
}
