import Bytes
import Records
import Testing

@testable import Exports

/// Which type a column gets from its values.
struct TypeEvidenceTests {
  private func evidence(
    _ values: [String], isText: Bool = false, _ rule: InferenceRule = InferenceRule()
  ) -> TypeEvidence {
    var evidence = TypeEvidence(rule)
    for (row, value) in values.enumerated() {
      evidence.add(Array(value.utf8).span, row: row + 1, isText: isText)
    }
    return evidence
  }

  private func type(_ values: String...) -> LogicalType { evidence(values).type }

  /// A double holds whole numbers up to 2^53, and what is beyond must not lose its digits.
  @Test func largeWholeNumbersKeepAColumnFromBeingReal() {
    #expect(type("9007199254740993", "1.5") == .text)
    #expect(type("1.5", "9007199254740993") == .text)
    #expect(type("-9007199254740993", "1.5") == .text)
    #expect(type("9007199254740992", "1.5") == .real)
    #expect(type("9007199254740993", "1") == .integer)
    #expect(
      evidence(["1.5", "9007199254740993"]).reason
        == "not real: \"9007199254740993\" in row 2 has too many digits")
    var first = evidence(["1.5"])
    first.add(evidence(["9007199254740993"]), after: 1)
    #expect(first.type == .text)
  }

  /// Nine digits of a second, as this tool writes what is finer than a millisecond.
  @Test func fineTimesComeBackToTheSameText() {
    var rule = InferenceRule()
    rule.isExact = true
    let times = ["2016-10-01T09:15:30.123456700Z", "2016-10-01T09:15:31.765432100Z"]
    #expect(evidence(times, rule).type == .timestamp)
    #expect(evidence(["2016-10-01T09:15:30.1234567Z"], rule).type == .text)
  }

  @Test func numbersComeBackToTheSameText() {
    #expect(type("1.5", "2") == .real)
    for text in ["1.50", "01", "+1", "1e3", "1,5", "1,234", "-0", "-0.0", "0x1", " 1", "1."] {
      #expect(type(text, "1.5") == .text, "\(text)")
    }
  }

  /// A format that has numbers gives them no text.
  @Test(
    arguments: [
      (["12.50", "3"], .real), (["1.5", "0.0000001"], .real), (["1.0e+22"], .real),
      (["1E-7", "1.0E10"], .real), (["3.00"], .real), (["100000000000000000000", "1.5"], .real),
      (["9007199254740993", "1.50"], .text), (["1.50", "9007199254740993"], .text),
      (["0.12345678901234567890123"], .text), (["-0.0", "1.5"], .text), (["1e400"], .text),
      (["12.50", "true"], .text), (["1", "2"], .integer),
    ] as [([String], LogicalType)])
  func numbersOfAFormatThatHasThemKeepTheirValue(values: [String], type: LogicalType) {
    var rule = InferenceRule(hasNumbers: true)
    #expect(evidence(values, rule).type == type)
    var first = evidence(Array(values.prefix(1)), rule)
    first.add(evidence(Array(values.dropFirst()), rule), after: 1)
    #expect(first.type == type)
    // Texts are no numbers, and beside them nothing is.
    first.add(evidence(["1.5"], isText: true, rule), after: values.count)
    #expect(first.type == .text)
    rule.isExact = true
    #expect(evidence(values, rule).type == (type == .real ? .text : type))
  }

  @Test func numbersInOtherSpellingsAreTold() {
    let rule = InferenceRule(hasNumbers: true)
    #expect(evidence(["12.50"], rule).respelling(as: .real) != nil)
    #expect(evidence(["12.5", "3"], rule).respelling(as: .real) == nil)
    #expect(evidence(["12.50", "x"], rule).reason == #"not real: "x" in row 2"#)
  }

  @Test(
    arguments: [
      (["TRUE", "FALSE"], .boolean), (["True"], .boolean), (["yes", "no"], .boolean),
      (["Yes", "NO", "no"], .boolean), (["true", "false"], .boolean),
      // Lone, it may be short for Norway.
      (["no", "no"], .text), (["NO"], .text), (["yes"], .text), (["true", "yes", "no"], .text),
      (["t", "f"], .text), (["1", "0"], .integer), (["TRUE", "1"], .text),
    ] as [([String], LogicalType)])
  func truthWordsOfOnePairAreTruthValues(values: [String], type: LogicalType) {
    #expect(evidence(values).type == type)
    #expect(evidence(values, isText: true).type == .text)
  }

  @Test(
    arguments: [
      (["2016-10-01"], .timestamp), (["2016-10-01 09:15", "2016-10-01T09:15:30.1Z"], .timestamp),
      (["2016-10-01", "2016-10-01T09:15:30.123Z"], .timestamp),
      (["2016-10-01T09:15:30.123Z", "2016-10-01"], .timestamp),
      (["2016-10-01", "01.10.2016"], .text), (["2016-W40"], .text), (["2016"], .integer),
    ] as [([String], LogicalType)])
  func datesOfAnyAcceptedFormAreTimes(values: [String], type: LogicalType) {
    #expect(evidence(values).type == type)
    // Also where the rows are looked at in two halves.
    var first = evidence(Array(values.prefix(1)))
    first.add(evidence(Array(values.dropFirst())), after: 1)
    #expect(first.type == type)
  }

  @Test func exactInferenceTakesOnlyWhatComesBack() {
    var rule = InferenceRule()
    rule.isExact = true
    for values in [["2016-10-01"], ["TRUE"], ["yes", "no"], ["2016-10-01T09:15:30Z"]] {
      #expect(evidence(values, rule).type == .text)
      #expect(evidence(values).respelling(as: evidence(values).type) != nil)
      // A person may tell the type all the same.
      let types: [LogicalType] = [.boolean, .timestamp]
      #expect(types.contains { evidence(values, rule).respelling(as: $0) != nil }, "\(values)")
    }
    for values in [["2016-10-01T09:15:30.000Z"], ["true"]] {
      #expect(evidence(values, rule).type != .text)
      #expect(evidence(values).respelling(as: evidence(values).type) == nil)
    }
    #expect(evidence(["yes"]).respelling(as: .boolean) != nil)
    #expect(evidence(["yes", "2016-10-01"]).respelling(as: .boolean) == nil)
    #expect(evidence(["2016-10-01", "x"], rule).reason == #""2016-10-01" in row 1"#)
  }

  @Test func decimalCommasAreReadWhereTold() {
    var rule = InferenceRule()
    rule.spelling.decimal = UInt8(ascii: ",")
    rule.spelling.thousands = UInt8(ascii: ".")
    #expect(evidence(["1,5", "2"], rule).type == .real)
    #expect(evidence(["1.5"], rule).type == .text)
    #expect(evidence(["1.234,5"], rule).type == .text)
    #expect(evidence(["1,50"], rule).type == .text)
    #expect(evidence(["Infinity", "-Infinity", "1,5"], rule).type == .real)
  }
}

/// What a column of a given type takes.
struct SpelledCellTests {
  private func cell(
    _ text: String, _ type: LogicalType, _ rule: SpellingRule = .common
  ) -> String? {
    var batch = RecordBatch(columnCount: 1)
    batch.append(spelled: Array(text.utf8).span, column: 0, type: type, rule: rule)
    batch.endRow(key: 1)
    guard batch.rejects.isEmpty, let cell = batch.cells.first else { return nil }
    switch cell.kind {
    case .integer: return "\(cell.integer)"
    case .real: return "\(cell.real)"
    case .null: return "NULL"
    case .text, .binary: return String(decoding: batch.arena[cell.range], as: UTF8.self)
    }
  }

  private var comma: SpellingRule {
    var rule = SpellingRule.common
    rule.decimal = UInt8(ascii: ",")
    rule.thousands = UInt8(ascii: ".")
    return rule
  }

  private var grouped: SpellingRule {
    var rule = SpellingRule.common
    rule.thousands = UInt8(ascii: ",")
    return rule
  }

  @Test(
    arguments: [
      ("1,234", .integer, "1234"), ("1,234.50", .decimal, "1234.50"), ("1,234.50", .real, "1234.5"),
      ("-1,234,567.25", .real, "-1234567.25"), ("12,34", .integer, nil), ("1,2345", .real, nil),
      (",123", .integer, nil), ("1,234,", .integer, nil), ("1.5,000", .real, nil),
      ("0,123", .integer, nil), ("1,234e2", .real, "123400.0"), ("", .real, nil), ("-", .real, nil),
    ] as [(String, LogicalType, String?)])
  func thousandsStandInGroupsOfThree(text: String, type: LogicalType, value: String?) {
    #expect(cell(text, type, grouped) == value)
  }

  @Test(
    arguments: [
      ("1,5", .real, "1.5"), ("1.234,50", .decimal, "1234.50"), ("1.234", .real, "1234.0"),
      ("1.5", .real, nil), ("1,5", .integer, nil), ("1,5E+2", .real, "150.0"),
      ("12", .real, "12.0"), ("Infinity", .real, "inf"), ("-Infinity", .real, "-inf"),
      ("Infinity", .integer, nil), ("Infinity", .decimal, nil), ("Infinity,5", .real, nil),
      ("--Infinity", .real, nil),
    ] as [(String, LogicalType, String?)])
  func decimalCommaMakesPointsThousands(text: String, type: LogicalType, value: String?) {
    #expect(cell(text, type, comma) == value)
  }

  @Test func withoutBeingToldNumbersHaveNoGroups() {
    #expect(cell("1,234", .real) == nil)
    #expect(cell("1,234.50", .decimal) == nil)
    #expect(cell("1.5e3", .decimal) == "1500" && cell("1.50", .decimal) == "1.50")
  }

  @Test func truthWordsAndDaysAreTakenWhereTold() {
    for text in ["TRUE", "Yes", "t", "Y", "1"] { #expect(cell(text, .boolean) == "1") }
    for text in ["False", "NO", "f", "n", "0"] { #expect(cell(text, .boolean) == "0") }
    for text in ["on", "ja", "2", ""] { #expect(cell(text, .boolean) == nil) }
    var days = SpellingRule.common
    days.dates = .serial
    #expect(cell("42644.5", .timestamp, days) == "2016-10-01T12:00:00.000Z")
    #expect(cell("60", .timestamp, days) == nil)
    #expect(cell("2016-10-01", .timestamp, days) == nil)
    #expect(cell("TRUE", .boolean, .canonical) == nil)
    #expect(cell("2016-10-01", .timestamp, .canonical) == nil)
  }

  /// The content hash covers each byte of an export, and no number becomes zero untold.
  @Test(
    arguments: [
      ("1.5", "1.5", "1.5"), ("1.50", nil, "1.5"), ("15e-1", nil, "1.5"), ("-0.0", "0.0", "0.0"),
      ("1e-400", nil, nil), ("0.1", "0.1", "0.1"), ("0.10000000000000001", nil, "0.1"),
    ] as [(String, String?, String?)])
  func exportsSpellRealsInOneWay(text: String, canonical: String?, common: String?) {
    #expect(cell(text, .real, .canonical) == canonical)
    #expect(cell(text, .real) == common)
  }

  /// Whoever tells that a column counts seconds wants to know of what does not.
  @Test(arguments: [Corrections.DateForm.serial, .unixSeconds, .unixMilliseconds])
  func timesAreNumbersWhereTold(_ form: Corrections.DateForm) {
    var rule = SpellingRule.common
    rule.dates = form
    #expect(cell("2016-10-01T09:15:30.000Z", .timestamp, rule) == nil)
    rule.dates = .dayFirst
    #expect(cell("2016-10-01T09:15:30.000Z", .timestamp, rule) == "2016-10-01T09:15:30.000Z")
  }
}
