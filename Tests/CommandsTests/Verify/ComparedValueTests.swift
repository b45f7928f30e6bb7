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
      (.text, .timestamp, .time), (.uri, .text, .text), (.json, .text, .json),
      (.binary, .binary, .bytes), (.binary, .text, .spelled), (.integer, .text, .spelled),
      (.decimal, .text, .spelled),
    ]
    for (left, right, form) in forms {
      #expect(ComparedForm(left, right) == form, "\(left) \(right)")
      #expect(ComparedForm(right, left) == form, "\(right) \(left)")
    }
  }

  /// A document is no text that looks like what it is compared as.
  @Test(arguments: [
    ("5", "number 5e0", false), ("5", "number 5", false), ("\"abc\"", "text abc", false),
    ("\"x\"", "raw x", false), ("\"raw x\"", "x", false), ("5.0", "5", true), ("{", "{", true),
    ("{", "[", false),
  ])
  func documentIsComparedWithText(_ document: String, _ text: String, _ areEqual: Bool) {
    let compared = [(document, LogicalType.json), (text, .text)].map { text, type in
      var stored = RecordBatch(columnCount: 1)
      stored.append(text: text)
      var batch = RecordBatch(columnCount: 1)
      batch.append(stored.cells[0], comparedAs: .json, type, arena: stored.arena.span)
      return batch.arena
    }
    #expect((compared[0] == compared[1]) == areEqual)
  }
}
