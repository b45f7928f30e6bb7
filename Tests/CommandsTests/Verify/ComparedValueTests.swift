import Bytes
import Records
import Testing

@testable import Commands

/// Values of two stores are compared as the wider of their types.
struct ComparedValueTests {
  private func decimal(_ text: String) -> ExactDecimal? { ExactDecimal(text.utf8Span.span) }

  @Test(arguments: [
    ("1", "1.0"), ("+1", "10e-1"), ("-0", "0"), ("0.50", "5E-1"), ("1200", "12e+2"),
    ("0e5", "0"), ("000.1", "0.1"),
  ]) func spellingsOfOneNumberAreEqual(left: String, right: String) throws {
    #expect(try #require(decimal(left)) == #require(decimal(right)))
    #expect(decimal(left)?.text == decimal(right)?.text)
  }

  @Test(arguments: [("1", "-1"), ("1", "10"), ("0.1", "0.10000000000000000001")])
  func otherNumbersDiffer(left: String, right: String) throws {
    #expect(try #require(decimal(left)) != #require(decimal(right)))
  }

  @Test(arguments: ["", "-", ".", "e1", "1e", "1x", "1e9999999", "0x1", " 1"])
  func otherTextIsNoNumber(text: String) { #expect(decimal(text) == nil) }

  @Test(
    arguments: [
      ("9223372036854775807", Int64.max), ("-9223372036854775808", .min),
      ("1e18", 1_000_000_000_000_000_000),
      ("9223372036854775808", nil), ("0.5", nil), ("1e19", nil), ("-0", 0),
    ] as [(String, Int64?)])
  func wholeNumbersOf64BitsAreIntegers(text: String, integer: Int64?) {
    #expect(decimal(text)?.integer == integer)
  }

  @Test func widerTypeDecides() {
    let forms: [(LogicalType, LogicalType, ComparedForm)] = [
      (.integer, .decimal, .number), (.boolean, .real, .number), (.text, .uuid, .text),
      (.text, .timestamp, .time), (.uri, .text, .text), (.json, .text, .jsonOrText),
      (.json, .json, .json),
      (.binary, .binary, .bytes), (.binary, .text, .spelled),
      (.integer, .text, .numberOrText), (.decimal, .text, .numberOrText),
      (.real, .uri, .realOrText), (.reference, .text, .numberOrText),
      (.integer, .binary, .spelled), (.boolean, .text, .truth), (.boolean, .uuid, .spelled),
    ]
    for (left, right, form) in forms {
      #expect(ComparedForm(left, right) == form, "\(left) \(right)")
      #expect(ComparedForm(right, left) == form, "\(right) \(left)")
    }
  }

  private func compared(_ text: String, _ type: LogicalType, as form: ComparedForm) -> [UInt8] {
    var stored = RecordBatch(columnCount: 1)
    stored.append(text: text)
    var batch = RecordBatch(columnCount: 1)
    batch.append(stored.cells[0], comparedAs: form, type, arena: stored.arena.span)
    return batch.arena
  }

  /// Services, libraries and languages spell one number in many ways.
  @Test(arguments: [
    (12.5, "12.50", true), (12.5, "125E-1", true), (3, "3", true), (3, "3.00", true),
    (1e-7, "0.0000001", true), (1e-7, "1E-7", true), (1e22, "1e22", true), (0, "-0.0", true),
    (1e22, "10000000000000000000000", true), (.infinity, "Infinity", true),
    (0.1, "0.10000000000000001", true), (0.1, "0.10000000000000002", false),
    (-0.2, "-2.0000000000000001e-1", true), (1e22, "10000000000000000000001", false),
    (12.5, "12.51", false), (12.5, "+12.5", false), (12.5, "012.5", false), (12.5, " 12.5", false),
    (0.1, "0.1000000000000000055", false), (0, "e0", false), (0, "", false),
    (9_007_199_254_740_992, "9007199254740993", false),
  ])
  func realIsComparedWithText(_ number: Double, _ text: String, _ areEqual: Bool) {
    let form = ComparedForm(.real, .text)
    var stored = RecordBatch(columnCount: 1)
    stored.append(.real(number))
    var real = RecordBatch(columnCount: 1)
    real.append(stored.cells[0], comparedAs: form, .real, arena: stored.arena.span)
    #expect((real.arena == compared(text, .text, as: form)) == areEqual)
  }

  @Test(arguments: [
    ("12.50", "12.5", true), ("18446744073709551615", "1.8446744073709551615E19", true),
    ("18446744073709551615", "18446744073709551616", false), ("-0.10", "-1e-1", true),
  ])
  func decimalIsComparedWithText(_ decimal: String, _ text: String, _ areEqual: Bool) {
    let form = ComparedForm(.decimal, .text)
    let equal = compared(decimal, .decimal, as: form) == compared(text, .text, as: form)
    #expect(equal == areEqual)
  }

  /// Two texts are the same only where each byte is, also beside bytes whose base64 is a number.
  @Test(arguments: [(LogicalType.text, LogicalType.text), (.binary, .text)])
  func textsAreNoNumbers(_ left: LogicalType, _ right: LogicalType) {
    let form = ComparedForm(left, right)
    #expect(compared("1e10", .text, as: form) == Array("1e10".utf8))
    #expect(compared("12.50", .text, as: form) == Array("12.50".utf8))
  }

  /// A document is no text that looks like what it is compared as.
  @Test(arguments: [
    ("5", "number 5e0", false), ("5", "number 5", false), ("\"abc\"", "text abc", false),
    ("\"x\"", "raw x", false), ("\"raw x\"", "x", false), ("5.0", "5", true), ("{", "{", true),
    ("{", "[", false), ("\"abc\"", "abc", true), ("\"5\"", "5", true), ("1e2", "100", true),
    ("{\"a\": [1]}", "{\"a\":[1.0]}", true), ("\"[1]\"", "[1]", true), ("\"5.0\"", "6", false),
    ("\"2016-10-01T09:15:30Z\"", "2016-10-01T09:15:30.000Z", true), ("null", "", false),
  ])
  func documentIsComparedWithText(_ document: String, _ text: String, _ areEqual: Bool) {
    let form = ComparedForm(.json, .text)
    let (document, text) = (compared(document, .json, as: form), compared(text, .text, as: form))
    #expect((document == text) == areEqual)
  }

  @Test(arguments: [
    ("{\"b\":1,\"a\":2}", "{\"a\": 2.0, \"b\": 1}", true), ("\"5\"", "5", false),
    ("\"abc\"", "abc", false), ("\"x\"", "raw x", false), ("{", "[", false),
  ])
  func documentIsComparedWithDocument(_ left: String, _ right: String, _ areEqual: Bool) {
    #expect((compared(left, .json, as: .json) == compared(right, .json, as: .json)) == areEqual)
  }
}
