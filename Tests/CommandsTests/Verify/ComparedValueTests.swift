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
      (.binary, .binary, .bytes), (.binary, .text, .spelled), (.integer, .text, .spelled),
      (.decimal, .text, .spelled), (.boolean, .text, .truth), (.boolean, .uuid, .spelled),
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
