import Bytes
import Formats
package import Records

/// What the server has where a change does not fit.
package enum ConflictSituation: String, Sendable, CaseIterable {
  /// The item was changed since the device saw it.
  case changed
  case deleted
  /// An item with the id of the new one exists.
  case exists
}

/// What is done about a conflict.
package enum ConflictPolicy: String, Sendable, CaseIterable {
  /// Begin nothing new and end the run.
  case stop
  /// Leave it and go on.
  case skip
  /// Send the device's change on top of what the server has.
  case clientWins = "client-wins"
  /// Give up the device's change.
  case serverWins = "server-wins"
  /// Take whichever was changed last; where that is not known, leave it.
  case newest
}

/// Which policy decides which conflict.
package struct ConflictRules: Sendable, Equatable {
  /// A line of the truth table; what is nil fits everything.
  private struct Line: Sendable, Equatable {
    let table: String?
    let operation: OperationKind?
    let situation: ConflictSituation?
    let decision: ConflictPolicy

    /// Reads a line of as many fields as the head has.
    init(_ texts: [String]) throws(WrongWord) {
      table = texts[0] == "*" ? nil : texts[0]
      operation = texts[1] == "*" ? nil : try word(texts[1], head[1], orAny: true)
      situation = texts[2] == "*" ? nil : try word(texts[2], head[2], orAny: true)
      decision = try word(texts[3], head[3])
    }
  }

  /// The policy where no line of the truth table fits.
  package var fallback: ConflictPolicy = .skip
  private var lines: [Line] = []

  private static let mostLines = 10_000

  /// Rules with one policy for everything.
  package init(_ fallback: ConflictPolicy = .skip) {
    self.fallback = fallback
  }

  /// Whether some conflict is decided by which change is the newer one.
  package var asksForNewest: Bool {
    fallback == .newest || lines.contains { $0.decision == .newest }
  }

  /// Whether some conflict ends the run.
  package var mayStop: Bool { fallback == .stop || lines.contains { $0.decision == .stop } }

  /// The tables that lines name, in the order of the lines.
  package var tables: [String] { lines.compactMap(\.table) }

  /// The policy for a conflict of a step: that of the first line that fits.
  ///
  /// A table counts by the name that it has here and by the one that it has on the device.
  func policy(for step: ReplayStep, _ situation: ConflictSituation) -> ConflictPolicy {
    let line = lines.first { line in
      (line.table.map { hasSameBytes($0, step.knownTable) || hasSameBytes($0, step.table) } ?? true)
        && (line.operation ?? step.effect.kind) == step.effect.kind
        && (line.situation ?? situation) == situation
    }
    return line?.decision ?? fallback
  }

  /// Adds the lines of a truth table: CSV with `table,operation,situation,decision` at its head.
  ///
  /// - Throws: `StoreError` when it cannot be read, or says something else.
  package mutating func addTable(at path: String) throws(StoreError) {
    let stream = try storeErrors(path: path) { () throws(FileError) in
      try ByteStream(opening: path)
    }
    // As spreadsheets save it: a mark in front, blank lines at the end.
    _ = try storeErrors(path: path) { () throws(FormatError) in
      try stream.drop(prefix: TextEncoding.utf8.mark)
    }
    var reader = CSVReader(stream, CSVDialect())
    var isHead = true
    while try ruleErrors(path, { () throws(FormatError) in try reader.next() }) {
      let texts = reader.fields.map { field in
        String(decoding: reader.bytes[field.range], as: UTF8.self)
      }
      guard isHead ? texts == head : texts.count == head.count && lines.count < Self.mostLines
      else { throw Self.noTable("line \(reader.recordLine) is no line of a truth table", path) }
      if !isHead { try add(texts, line: reader.recordLine, of: path) }
      isHead = false
    }
    guard !isHead else { throw Self.noTable("there is no line of a truth table in it", path) }
  }

  private static func noTable(_ message: String, _ path: String) -> StoreError {
    StoreError(.usage, path: path, message, hint: hintOnTable)
  }

  private mutating func add(
    _ texts: [String], line number: Int, of path: String
  ) throws(StoreError) {
    do throws(WrongWord) {
      lines.append(try Line(texts))
    } catch {
      throw StoreError(
        .usage, path: path, "line \(number): '\(error.shownWord)' is no \(error.column)",
        hint: "it is one of \(error.rightWords.joined(separator: ", "))")
    }
  }
}

/// Tells what is wrong with the text of a truth table; no option lets it be read otherwise, so that it is
/// the option that names it which is wrong.
private func ruleErrors(
  _ path: String, _ body: () throws(FormatError) -> Bool
) throws(StoreError) -> Bool {
  do {
    return try body()
  } catch {
    if case .unreadable = error.code { throw StoreError(error, path: path) }
    throw StoreError(.usage, path: path, error.message, hint: hintOnTable)
  }
}

private let head = ["table", "operation", "situation", "decision"]

private let hintOnTable =
  "the first line is \(head.joined(separator: ",")), then one rule a line, as text in UTF-8 with "
  + "commas between its fields; '*' fits everything"

/// A word in a column of the truth table that is none of those which may stand there.
private struct WrongWord: Error {
  let word: String
  let column: String
  /// The word as far as it helps to find it.
  var shownWord: String { word.count > 60 ? word.prefix(60) + "…" : word }
  let rightWords: [String]
}

/// The meaning of a word in a column of the truth table.
private func word<Word: RawRepresentable<String> & CaseIterable>(
  _ text: String, _ column: String, orAny: Bool = false
) throws(WrongWord) -> Word {
  guard let word = Word(rawValue: text) else {
    throw WrongWord(
      word: text, column: column,
      rightWords: Word.allCases.map(\.rawValue) + (orAny ? ["* for all"] : []))
  }
  return word
}
