import Bytes
import Formats
import Records
import TestSupport
import Testing

@testable import Exports

/// Files that are read in pieces, against the same files read as a whole.
struct PieceTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// What is known of a file after its first pass.
  private struct Shown: Equatable {
    let rows: Int
    let leading: Int
    let columns: [Column]
    let reasons: [String]
    let absences: [String]
    let unnamed: [String]
    let blankLines: Int
    let isDoubtful: Bool

    init(_ survey: PlainSurvey) {
      rows = survey.rows
      leading = survey.leading
      columns = survey.columns
      reasons = columns.indices.map { survey.reason(ofColumn: $0) }
      absences = columns.indices.map { "\(survey.absence(ofColumn: $0))" }
      unnamed = survey.unnamedColumns
      blankLines = survey.blankLines
      isDoubtful = survey.backslashes.isDoubtful
    }
  }

  private func whole(_ path: String, _ form: CSVForm?) throws -> PlainSurvey {
    if let form { return try PlainSurvey(csv: form.openReader(path), InferenceRule()) }
    let tokens = JSONTokens(path: path, stream: try ExportFile.open(path), framing: .lines)
    return try PlainJSONSurvey(tokens, .lines, InferenceRule()).tables[0]
  }

  private static let plain: CSVForm = {
    var dialect = CSVDialect()
    dialect.isEscapingFound = true
    return CSVForm(dialect: dialect, encoding: .utf8, isMarked: false)
  }()

  private func rows(_ reader: any ExportRows, columns: Int) throws -> [String] {
    var rows: [String] = []
    var batch = RecordBatch(columnCount: columns)
    var hasMore = true
    while hasMore {
      hasMore = try reader.fill(&batch)
      for row in 0..<batch.rowCount {
        let cells = batch.cells(ofRow: row).map { cell in
          let text = String(decoding: batch.arena[cell.range], as: UTF8.self)
          return "\(cell.kind) \(cell.kind == .integer ? cell.integer : 0) \(text)"
        }
        rows.append("\(batch.keys[row]): \(cells)")
      }
      rows += batch.rejects.map { "\(batch.keys[$0.row]) \($0.column) \($0.raw)" }
      batch.removeAll()
    }
    return rows
  }

  /// Reads a file both ways.
  ///
  /// - Returns: whether it was whole, and whether it was read in pieces.
  private func compare(
    _ text: [UInt8], _ format: PlainFormat, pieceSize: Int, form: CSVForm = Self.plain
  ) throws -> (isWhole: Bool, hasPieces: Bool) {
    let path = try folder.write(text, to: "file")
    let form = format == .csv ? form : nil
    let reader = try? PieceReader(path: path, csv: form, InferenceRule(), pieceSize: pieceSize)
    let pieces = reader.flatMap { PlainSurvey(inPieces: $0) }
    guard let expected = try? whole(path, form) else { return (false, pieces != nil) }
    guard let reader, let pieces else { return (true, false) }
    #expect(Shown(pieces) == Shown(expected))
    let table = Table(name: "file", columns: expected.columns)
    let leading = expected.leading
    let rules = table.columns.map { _ in SpellingRule.common }
    let single: any ExportRows =
      if let form {
        try CSVRowReader(
          path: path, reader: form.openReader(path), hasHeader: form.dialect.hasHeader,
          table: table, leading: leading, rules: rules)
      } else {
        JSONRowReader(
          JSONTokens(path: path, stream: try ExportFile.open(path), framing: .lines),
          JSONForm.lines.walk, table: table, leading: leading, rule: .common)
      }
    let width = table.columns.count
    let found = try rows(
      PieceRows(reader, table: table, leading: leading, rules: rules), columns: width)
    let expectedRows = try rows(single, columns: width)
    #expect(found == expectedRows)
    let surveying = try PieceRows(
      reader, table: table, leading: leading, rules: rules, isSurveying: true)
    #expect(try rows(surveying, columns: width) == expectedRows)
    let seen = try #require(surveying.survey)
    #expect(Shown(seen) == Shown(expected) && seen.bearsOut(expected))
    return (true, true)
  }

  private static let fields = [
    "", "0", "1", "-7", "1.5", "9007199254740993", "true", "false", "Infinity",
    "2020-02-03T04:05:06.000Z", "text", "\"\"", "\"a,b\"", "\"two\nlines\"", "\"say \"\"yes\"\"\"",
    "\"\n\"", "ä", "\"\"\"\n\"\"\"",
  ]

  private static let values = [
    "null", "0", "1", "-7", "1.5", "9007199254740993", "true", "false", #""Infinity""#, "[1, 2]",
    #""2020-02-03T04:05:06.000Z""#, #""text""#, #""""#, #""a\nb\"""#, #"{"a":1}"#, "1e5",
  ]

  private func csv(
    _ random: inout SeededGenerator, separator: String = ",", end: String? = nil
  ) -> [UInt8] {
    let end = end ?? (random.next() & 3 == 0 ? "\r\n" : "\n")
    let hasKey = random.next() & 1 == 0
    let width = Int(random.next() % 4) + 1
    let names = (hasKey ? ["_pk"] : []) + (0..<width).map { "c\($0)" }
    var text = names.joined(separator: separator) + end
    // Columns of one kind are the rule, and the odd value comes late.
    let kinds = (0..<width).map { _ in Int(random.next() % UInt64(Self.fields.count)) }
    for row in 0..<Int(random.next() % 60) {
      let isOdd = random.next() % 20 == 0
      let key = random.next() % 100 == 0 ? "x" : "\(row * 3)"
      let fields = kinds.map { kind in
        Self.fields[isOdd ? Int(random.next() % UInt64(Self.fields.count)) : kind]
      }
      text += ((hasKey ? [key] : []) + fields).joined(separator: separator) + end
    }
    return Array(text.utf8)
  }

  private func ndjson(_ random: inout SeededGenerator) -> [UInt8] {
    let hasKey = random.next() & 1 == 0
    let width = Int(random.next() % 4) + 1
    let kinds = (0..<width).map { _ in Int(random.next() % UInt64(Self.values.count)) }
    var text = ""
    for row in 0..<Int(random.next() % 60) {
      var members = hasKey ? [#""_pk":\#(random.next() % 100 == 0 ? 0 : row * 3)"#] : []
      for (place, kind) in kinds.enumerated() where random.next() % 9 != 0 {
        let isOdd = random.next() % 20 == 0
        let value = Self.values[isOdd ? Int(random.next() % UInt64(Self.values.count)) : kind]
        members.append(#""c\#(place)": \#(value)"#)
      }
      if random.next() % 30 == 0 { members.reverse() }
      text += "{\(members.joined(separator: ", "))}\n"
    }
    return Array(text.utf8)
  }

  @Test(arguments: [PlainFormat.csv, .ndjson], 0..<40)
  func piecesTellWhatTheWholeFileTells(format: PlainFormat, round: Int) throws {
    var random = SeededGenerator(seed: 51 + UInt64(round) * 1000)
    for _ in 0..<10 {
      let text = format == .csv ? csv(&random) : ndjson(&random)
      let outcome = try compare(text, format, pieceSize: Int(random.next() % 300) + 1)
      // Rows whose first member changes are read as a whole, and so is a file without any.
      if format == .csv, outcome.isWhole { #expect(outcome.hasPieces) }
    }
  }

  /// Separators, line ends, encodings and a missing header change nothing about pieces.
  @Test(arguments: [",", ";", "\t", "|"], ["\r\n", "\n", "\r"])
  func piecesOfOtherDialectsTellTheSame(separator: String, end: String) throws {
    var random = SeededGenerator(seed: 53)
    for round in 0..<40 {
      var form = Self.plain
      form.dialect.separator = try #require(separator.utf8.first)
      form.dialect.hasHeader = round % 3 != 0
      if round % 4 == 1 { form.dialect.nulls = [Array("0".utf8), Array("text".utf8)] }
      var text = csv(&random, separator: separator, end: end)
      if round % 5 == 2 {
        form.encoding = .utf16LittleEndian
        text = String(decoding: text, as: UTF8.self).utf16.flatMap {
          [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)]
        }
      }
      let outcome = try compare(
        text, .csv, pieceSize: Int(random.next() % 300) + 1, form: form)
      if outcome.isWhole { #expect(outcome.hasPieces, "\(round)") }
    }
  }

  /// A line end behind a backslash belongs to its field, so no piece ends there.
  @Test func piecesOfEscapedTextTellTheSame() throws {
    var random = SeededGenerator(seed: 54)
    let fields = [#"\N"#, "", "1", "a", #"b\"# + "\n", #"\t"#, #"c\\"#, #"\x41"#, #"\101"#]
    for _ in 0..<60 {
      var form = Self.plain
      form.dialect.separator = 9
      form.dialect.isEscaped = true
      let width = Int(random.next() % 3) + 1
      let rows = (0..<Int(random.next() % 60)).map { _ in
        (0..<width).map { _ in fields[Int(random.next() % UInt64(fields.count))] }
          .joined(separator: "\t") + "\n"
      }
      let head = (0..<width).map { "c\($0)" }.joined(separator: "\t") + "\n"
      let outcome = try compare(
        Array((head + rows.joined()).utf8), .csv, pieceSize: Int(random.next() % 100) + 1,
        form: form)
      #expect(outcome.isWhole && outcome.hasPieces)
    }
  }

  @Test(arguments: [PlainFormat.csv, .ndjson], 0..<40)
  func damagedFilesAreReadAsAWhole(format: PlainFormat, round: Int) throws {
    var random = SeededGenerator(seed: 52 + UInt64(round) * 1000)
    for _ in 0..<10 {
      var text = format == .csv ? csv(&random) : ndjson(&random)
      for _ in 0...Int(random.next() & 1) where !text.isEmpty {
        let place = Int(random.next() % UInt64(text.count))
        switch random.next() % 3 {
        case 0: text.remove(at: place)
        case 1: text.insert(Array("\"\n\r,{}\\\0".utf8)[Int(random.next() & 7)], at: place)
        default: text.removeLast(text.count - place)
        }
      }
      let outcome = try compare(text, format, pieceSize: Int(random.next() % 200) + 1)
      #expect(outcome.isWhole || !outcome.hasPieces)
    }
  }

  /// The reader of a piece hands on its rows in batches, of which short rows fill several.
  @Test(arguments: [PlainFormat.csv, .ndjson], [false, true])
  func shortRowsAreNumberedThroughAllBatches(format: PlainFormat, hasKey: Bool) throws {
    let text = (1...5000).map { row in
      switch format {
      case .csv: (hasKey ? "\(row * 2)," : "") + "\(row),b\n"
      default: "{" + (hasKey ? #""_pk":\#(row * 2),"# : "") + #""c":\#(row),"d":"b"}"# + "\n"
      }
    }.joined()
    let head = format == .csv ? (hasKey ? "_pk,c,d\n" : "c,d\n") : ""
    for pieceSize in [20_000, RecordPieces.usualSize] {
      let outcome = try compare(Array((head + text).utf8), format, pieceSize: pieceSize)
      #expect(outcome.isWhole && outcome.hasPieces)
    }
  }

  /// Lines of two bytes may stand for rows of a thousand columns, of which few are read at once.
  @Test(arguments: [PlainFormat.csv, .ndjson])
  func piecesOfWideTablesHaveFewRows(format: PlainFormat) throws {
    let width = 1900
    let names = (0..<width).map { "c\($0)" }
    let text: String =
      switch format {
      case .csv:
        ([names, names] + (0..<80).map { row in names.map { $0 == "c7" ? "\(row)" : "" } })
          .map { $0.joined(separator: ",") + "\n" }.joined()
      default:
        "{" + names.map { #""\#($0)":"x""# }.joined(separator: ",") + "}\n"
          + (0..<80).map { $0 % 9 == 0 ? #"{"c7":"\#($0)"}"# + "\n" : "{}\n" }.joined()
      }
    let outcome = try compare(Array(text.utf8), format, pieceSize: RecordPieces.usualSize)
    #expect(outcome.isWhole && outcome.hasPieces)
    let path = try folder.write(text, to: "wide")
    let reader = try PieceReader(
      path: path, csv: format == .csv ? Self.plain : nil, InferenceRule())
    var pieces = try reader.openPieces(
      for: Table(name: "wide", columns: try #require(PlainSurvey(inPieces: reader)).columns))
    var bytes: [UInt8] = []
    while let piece = try pieces.next() {
      let lines = piece.bytes.count { $0 == 0x0A }
      #expect(lines * width <= 1 << 17 && lines > 0 && piece.offset == bytes.count)
      bytes += piece.bytes
    }
    #expect(bytes == Array(text.utf8))
  }

  @Test func linesOfAFileInPiecesAreCountedFromItsStart() throws {
    let text = "a,b\n" + (1...500).map { "\($0),\"x\ny\"\n" }.joined()
    let path = try folder.write(text, to: "file.csv")
    let reader = try PieceReader(path: path, csv: Self.plain, InferenceRule(), pieceSize: 100)
    let survey = try #require(PlainSurvey(inPieces: reader))
    let rows = try PieceRows(
      reader, table: Table(name: "file", columns: survey.columns), leading: 0,
      rules: survey.columns.map { _ in .common })
    var batch = RecordBatch(columnCount: 2)
    var last = ""
    while try rows.fill(&batch) {
      last = rows.position
      batch.removeAll()
    }
    // Behind the last record, as with a file that is read as a whole.
    #expect(rows.position == "line 1002")
    #expect(last != rows.position)
  }
}
