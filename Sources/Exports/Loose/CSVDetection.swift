import Bytes
import Formats
import Records

/// Finds out from its first whole records how a CSV file is written.
///
/// It never guesses: where two ways are as good, it says what it saw and asks for the option.
struct CSVDetection {
  private let path: String
  private let options: PlainOptions
  private var sample: CSVSample
  /// Whether a person says that it is CSV, or the ending of the file's name, or its first line.
  private let isCertain: Bool
  private var isOneColumn = false

  /// Reads the beginning of the file.
  init(path: String, options: PlainOptions) throws(StoreError) {
    self.path = path
    self.options = options
    let sample = try CSVSample(path: path, encoding: options.encoding)
    isCertain =
      options.format == .csv || options.separator != nil || sample.separatorLine != nil
      || Self.hasEnding(path)
    self.sample = sample
  }

  private static func hasEnding(_ path: String) -> Bool {
    let name = path.lowercased()
    let endings = ["csv", "tsv", "tab"].flatMap { [".\($0)", ".\($0).gz"] }
    return endings.contains { name.hasSuffix($0) }
  }

  /// How the file is written; nil where it is no CSV.
  ///
  /// - Throws: `StoreError` when there are two ways to read it.
  mutating func form() throws(StoreError) -> CSVForm? {
    guard !sample.text.isEmpty else { return nil }
    guard try hasText() else {
      guard isCertain else { return nil }
      throw StoreError(
        .notAStore, path: path, "there is no header, and no line of text to take for one")
    }
    try checkEncoding()
    guard isCertain || !sample.looksBinary else { return nil }
    var dialect = CSVDialect()
    dialect.nulls = options.nulls.map { Array($0.utf8) }
    dialect.hasLeadingLine = sample.separatorLine != nil || sample.hasTypeLine
    // The mark is what spreadsheets are told by that a file is for them.
    dialect.formulas =
      options.formulas ?? (options.isExact ? .kept : sample.isMarked ? .all : .plain)
    guard let separator = try self.separator(dialect) else { return nil }
    dialect.separator = separator
    try findEscapes(&dialect)
    if let given = options.hasHeader {
      dialect.hasHeader = given
    } else {
      dialect.hasHeader = try hasHeader(dialect)
    }
    dialect.hasBlankRows = !dialect.hasHeader && CSVProbe(sample, dialect).width == 1
    return CSVForm(
      dialect: dialect, encoding: sample.encoding, isMarked: sample.isMarked,
      isOneColumnByName: isOneColumn && options.format == nil && Self.hasEnding(path))
  }

  /// Whether there is more than blanks, which name no column; without a header they may be a row.
  private mutating func hasText() throws(StoreError) -> Bool {
    guard options.hasHeader != false else { return true }
    while sample.isBlank, try sample.grow() {}
    return !sample.isBlank
  }

  private func checkEncoding() throws(StoreError) {
    guard let trouble = sample.encodingTrouble(isCertain: isCertain) else { return }
    throw StoreError(.usage, path: path, trouble.message, hint: trouble.hint)
  }

  // MARK: The separator

  private mutating func separator(_ dialect: CSVDialect) throws(StoreError) -> UInt8? {
    if let given = options.separator ?? sample.separatorLine { return given }
    if options.isEscaped == true { return UInt8(ascii: "\t") }
    var probes = probeAll(dialect)
    // A long text without any line is hardly a table.
    while probes.allSatisfy({ $0.records < 2 }), isCertain || sample.hasLineEnd, try sample.grow() {
      probes = probeAll(dialect)
    }
    if let large = probes.first(where: \.passesLimit) { return large.separator }
    if !isCertain, !startsWithKey, !sample.hasTypeLine, !options.isAboutCSV {
      probes.removeAll(where: \.looksLikeLetter)
    }
    let wide = probes.filter { $0.width > 1 && $0.isWhole }
    // One line alone is a header in a file that is known to be a table, or where it looks so.
    let tables = wide.filter {
      isCertain || $0.records > 1 || sample.hasLineEnd && looksLikeHeader(dialect, $0)
    }
    guard tables.count < 2 else { throw tie(tables) }
    if !wide.isEmpty { return tables.first?.separator }
    // A table that is damaged further on is one all the same; reading it tells where.
    let damaged = probes.filter { $0.width > 1 && $0.records > 1 }
    if let best = damaged.max(by: { $0.records < $1.records }) { return best.separator }
    return try separatorOfOneColumn(probes)
  }

  /// Whether the first column is called as that of an export of this tool.
  private var startsWithKey: Bool { sample.text.starts(with: "_pk".utf8) }

  /// Whether the first line is no prose, where a blank follows what may be a separator.
  private func looksLikeHeader(_ dialect: CSVDialect, _ found: CSVProbe) -> Bool {
    guard !startsWithKey else { return true }
    var dialect = dialect
    dialect.separator = found.separator
    let fields = CSVProbe(sample, dialect, keeping: 1).texts.first ?? []
    return fields.dropFirst().allSatisfy { $0?.first != " " }
  }

  private func probeAll(_ dialect: CSVDialect) -> [CSVProbe] {
    CSVDialect.separators.map { separator in
      var dialect = dialect
      dialect.separator = separator
      let quoted = CSVProbe(sample, dialect)
      guard separator == UInt8(ascii: "\t"), !quoted.isWhole else { return quoted }
      // Text with tabs may have quotes that mean nothing.
      dialect.isEscaped = true
      let escaped = CSVProbe(sample, dialect)
      return escaped.isWhole ? escaped : quoted
    }
  }

  private mutating func separatorOfOneColumn(
    _ probes: [CSVProbe]
  ) throws(StoreError) -> UInt8? {
    let comma = CSVDialect().separator
    isOneColumn = probes.allSatisfy { $0.width == 1 && $0.isWhole }
    if isOneColumn { return isCertain || startsWithKey ? comma : nil }
    guard isCertain else { return nil }
    if let wide = probes.first(where: { $0.width > 1 }) { return wide.separator }
    let found = probes.filter { $0.width == 1 && $0.hasWiderRecord }.map(\.plural)
    // Where a record cannot be read, reading it tells why.
    guard !found.isEmpty else { return comma }
    throw StoreError(
      .usage, path: path,
      "the header has one column, and records have more between \(found.joined(separator: " or "))",
      hint:
        "say with --separator what stands between fields; where the first line is a title, take "
        + "it away, for the header must come first")
  }

  private func tie(_ probes: [CSVProbe]) -> StoreError {
    let seen = probes.map { "\($0.width) columns between \($0.plural)" }
    return StoreError(
      .usage, path: path, "all records have \(seen.joined(separator: ", and "))",
      hint: "say with --separator which is meant")
  }

  // MARK: Backslashes

  /// Finds out whether bytes are escaped with a backslash rather than fields quoted.
  private func findEscapes(_ dialect: inout CSVDialect) throws(StoreError) {
    if let given = options.isEscaped {
      dialect.isEscaped = given
      return
    }
    guard options.nulls.isEmpty else { return }
    guard dialect.separator == UInt8(ascii: "\t") else {
      dialect.mayHaveEscapedNull = !options.isOfCorrections
      return
    }
    let probe = CSVProbe(sample, dialect)
    let seen = probe.backslashes
    // What was seen to be a text here is one further on.
    dialect.isEscapingFound = !seen.hasEscapedNull
    // Without a quote and a backslash so far, either is the same.
    guard seen.hasBackslash || !probe.isWhole else { return }
    var escaped = dialect
    (escaped.isEscaped, escaped.isEscapingFound) = (true, true)
    let other = CSVProbe(sample, escaped)
    guard other.isWhole else { return }
    let hasNull = other.backslashes.hasEscapedNull
    if hasNull, !seen.hasQuotes {
      dialect = escaped
    } else if seen.hasBackslash, hasNull || seen.isDoubtful {
      throw Self.doubtfulBackslashes(path)
    }
  }

  /// What to say where bytes may be escaped or not.
  static func doubtfulBackslashes(_ path: String) -> StoreError {
    StoreError(
      .usage, path: path,
      "backslashes in its text may be what they are, or escape what follows them",
      hint: "say --from csv, or --from copy for text of PostgreSQL's COPY and of MySQL")
  }

  // MARK: The header

  /// Whether the first record names the columns: it is not like the others.
  private func hasHeader(_ dialect: CSVDialect) throws(StoreError) -> Bool {
    let probe = CSVProbe(sample, dialect, keeping: 200)
    guard let first = probe.texts.first, probe.texts.count > 1 else { return true }
    if Self.hasTitle(probe.texts) { throw titleAbove(probe) }
    var isLikeOthers = false
    var years = (overYears: false, overFigures: false)
    for (place, name) in first.enumerated() {
      let values = probe.texts.dropFirst().compactMap { place < $0.count ? $0[place] : nil }
        .filter { !Self.standsForNoValue($0) }
      guard let kind = CSVValueKind(ofAll: values) else { continue }
      guard let name, !name.isEmpty else { continue }
      guard !Self.standsForNoValue(name) else {
        // An element or a region may be called NA, but nothing is called NULL.
        isLikeOthers = isLikeOthers || ["null", "(null)"].contains(name.lowercased())
        continue
      }
      let isOfKind = CSVValueKind(name) == kind
      // A word over numbers is a name; over what people write otherwise it may be one value more.
      guard isOfKind || kind.isOnlyASign else { return true }
      if !isOfKind { continue }
      if kind != .number || !CSVValueKind.isYear(name) {
        isLikeOthers = true
      } else if values.allSatisfy(CSVValueKind.isYear) {
        years.overYears = true
      } else {
        years.overFigures = true
      }
    }
    // A year over figures names them; a year over nothing but years may be one more.
    guard isLikeOthers || years.overYears && !years.overFigures else { return true }
    throw StoreError(
      .usage, path: path, "the first record looks like all others, as if there were no header",
      hint: "say --no-header, or --header if it names the columns")
  }

  /// Whether a title stands above the names of the columns, which spreadsheets fill up with empty fields.
  ///
  /// It is alone in its record, as are the few that may follow it. The names come in the first record
  /// without an empty field, which is nothing but words, above numbers or times.
  private static func hasTitle(_ records: [[String?]]) -> Bool {
    func isEmpty(_ field: String?) -> Bool { field?.isEmpty ?? true }
    let mostLines = 10
    guard let title = records.first, title.count > 2, !isEmpty(title[0]),
      title.dropFirst().allSatisfy(isEmpty),
      let place = records.prefix(mostLines).firstIndex(where: {
        $0.count >= title.count && !$0.contains(where: isEmpty)
      }),
      records[..<place].allSatisfy({ $0.count { !isEmpty($0) } * 2 <= title.count })
    else { return false }
    let names = records[place].compactMap(\.self)
    guard names.allSatisfy({ CSVValueKind($0) == nil && !standsForNoValue($0) }),
      Set(names).count == names.count
    else { return false }
    return names.indices.contains { column in
      let values = records[(place + 1)...].compactMap { column < $0.count ? $0[column] : nil }
      let kind = CSVValueKind(ofAll: values.filter { !$0.isEmpty && !standsForNoValue($0) })
      return kind == .number || kind == .time
    }
  }

  private func titleAbove(_ probe: CSVProbe) -> StoreError {
    StoreError(
      .usage, path: path,
      "the first line names one of \(probe.width) columns, and one below it has a word for each, as a "
        + "header has it below a title",
      hint:
        "take away the lines above the header; where the first line is the header, say --header, "
        + "and where there is none, --no-header")
  }

  /// Whether a text is what programs write where there is no value; it names no column, and tells
  /// nothing where it stands among values.
  private static func standsForNoValue(_ text: String) -> Bool {
    ["null", "(null)", "nil", "none", "nan", "na", "n/a", "#n/a", "-", "--", "\\n"]
      .contains(text.lowercased())
  }
}

/// How a CSV file is written.
struct CSVForm: Sendable {
  var dialect: CSVDialect
  var encoding: TextEncoding
  /// Whether a mark at the start of the file tells the encoding.
  var isMarked: Bool
  /// Whether nothing but the ending of the file's name told one column of words from prose.
  var isOneColumnByName = false

  /// Opens the file, as UTF-8 without a mark.
  func open(_ path: String) throws(StoreError) -> ByteStream {
    try ExportFile.open(path, as: encoding)
  }

  /// Opens the file to read its records.
  func openReader(_ path: String) throws(StoreError) -> CSVReader {
    CSVReader(try open(path), dialect, textStart: textStart)
  }

  /// The byte of the file at which its text starts; nil where that is not written as UTF-8.
  var textStart: Int? {
    guard encoding == .utf8 else { return nil }
    return isMarked ? encoding.mark.count : 0
  }

  /// What was taken for what, to be told.
  func facts(_ lineEnd: CSVLineEnd?, blankLines: Int) -> [SourceDescription.Fact] {
    var facts = [
      SourceDescription.Fact(
        "encoding", encoding.title + (isMarked ? " with a byte order mark" : "")),
      .init("separator", Self.name(of: dialect.separator) + (dialect.isEscaped ? ", escaped" : "")),
    ]
    if let lineEnd { facts.append(.init("line ends", lineEnd.rawValue)) }
    facts.append(
      .init("header", !dialect.hasHeader ? "none" : dialect.hasLeadingLine ? "line 2" : "line 1"))
    if !dialect.nulls.isEmpty {
      let texts = dialect.nulls.map { "\"" + String(decoding: $0, as: UTF8.self) + "\"" }
      facts.append(.init("no value", texts.joined(separator: ", ")))
    }
    if isOneColumnByName { facts.append(.init("columns", "one, as the ending of the name says")) }
    return facts + PlainFile.facts(blankLines: blankLines)
  }

  /// What people call a separator.
  static func name(of separator: UInt8) -> String {
    switch separator {
    case UInt8(ascii: ","): "comma"
    case UInt8(ascii: ";"): "semicolon"
    case UInt8(ascii: "\t"): "tab"
    case UInt8(ascii: "|"): "bar"
    case 0x00..<0x20, 0x7F: "U+" + hexadecimal(Unicode.Scalar(separator), minimumDigits: 4)
    default: String(decoding: [separator], as: UTF8.self)
    }
  }
}
