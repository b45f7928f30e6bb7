import Bytes
import CommandLineKit
import Records

/// Makes sure that a plan still is what would be done.
struct PlanCheck {
  private let path: String
  /// How many lines of the journal the plan knows of.
  private let journalLines: Int
  private let digest: SHA256Digest

  private static let headSize = 64 << 10

  /// Reads the plan of `--from-plan`; nil where there is none.
  init?(_ arguments: ParsedArguments) throws(StoreError) {
    guard let path = try arguments.file(of: "from-plan") else { return nil }
    self.path = path
    let head = try storeErrors { () throws(FileError) in
      try readPrefix(of: path, count: Self.headSize)
    }
    guard let lines = Self.journalLines(in: head) else {
      throw StoreError(
        .damaged, path: path, "it is no plan of a replay", hint: "make one with --plan")
    }
    journalLines = lines
    digest = try storeErrors { () throws(FileError) in try sha256(ofFileAt: path) }.digest
  }

  /// What the journal calls the plan while it is carried out.
  var mark: String { digest.hexadecimal }

  /// Throws unless the plan that the store gives now is the same, byte for byte.
  ///
  /// `isBegun` says that a run of this very plan was the last to write to the journal.
  func check(
    _ source: ReplaySource, _ options: ReplayOptions, _ session: Session, isBegun: Bool
  ) throws(StoreError) {
    let lines = isBegun ? journalLines : .max
    let now = try PlannedReplay(
      source, options, session, hashesContent: true, lineLimit: lines)
    var hash = SHA256()
    try now.writeJSON { piece in hash.update(piece.span) }
    guard hash.finish() == digest else {
      throw StoreError(
        .unsupported, path: path,
        "the plan is not what would be done now: the store, its journal, the options or the "
          + "plan were changed",
        hint: "make a new plan with --plan, and look at the difference")
    }
  }

  /// What the first lines say, which are about the plan as a whole; nil where it is none.
  private static func journalLines(in head: [UInt8]) -> Int? {
    let name = "\"journalLines\": "
    for line in head.split(separator: 0x0A).prefix(20) {
      let text = String(decoding: line, as: UTF8.self)
      guard let place = text.firstRange(of: name)?.upperBound,
        let count = Int(text[place...].prefix { $0.isNumber })
      else { continue }
      return count
    }
    return nil
  }
}
