import Bytes
import Records
import Testing

@testable import Exports

/// Which forms of texts a person is told of, as what would read them.
struct FormEvidenceTests {
  private var rule: InferenceRule {
    var rule = InferenceRule()
    rule.offered = .all
    return rule
  }

  private func evidence(
    _ values: some Sequence<String>, isText: Bool = false, thousands: UInt8? = nil,
    decimal: UInt8 = UInt8(ascii: ".")
  ) -> TypeEvidence {
    var rule = rule
    rule.spelling.thousands = thousands
    rule.spelling.decimal = decimal
    if decimal == UInt8(ascii: ",") { rule.offered.remove(.commaNumber) }
    var evidence = TypeEvidence(rule)
    for (row, value) in values.enumerated() {
      evidence.add(Array(value.utf8).span, row: row + 1, isText: isText)
    }
    return evidence
  }

  private func kind(_ evidence: TypeEvidence) -> String? {
    let words = evidence.offer(for: "T.c")?.split(separator: ";")[0]
    return words.map(String.init)
  }

  private func kind(_ values: String...) -> String? { kind(evidence(values)) }

  @Test func numbersWithACommaAreTold() {
    let comma = "numbers with a decimal comma"
    for values in [
      ["1,5"], ["1,50", "2"], ["2", "1,5"], ["-0,5"], ["0,125"], ["1.234,567"], ["1234,567"],
      ["1,234", "1,23"], ["1.234.567,5", "1.230", "7"], ["1,5", "9007199254740993"],
    ] {
      #expect(kind(evidence(values)) == comma, "\(values)")
      #expect(kind(evidence(values.reversed())) == comma, "\(values)")
    }
    // These may be thousands, numbers that tell things apart, or none.
    for values in [
      ["1,234"], ["1,234", "2"], ["01,5"], ["1,5", "007"], ["1,5", "x"], ["x", "1,5"], ["1,"],
      [",5"], ["1,5,6"], ["+1,5"], ["1,5 €"], ["12.34,5"], ["1234.567,5"], ["1,5", ""],
      ["123456789012345,6"], ["1,5", "1.5"], ["1.5", "1,5"], ["1,5", "1.234"], ["1,5", "true"],
      ["true", "1,5"],
      ["1,5", "2016-10-01"], ["2016-10-01", "1,5"], ["-"], ["-,5"],
    ] {
      #expect(evidence(values).offer(for: "T.c") == nil, "\(values)")
    }
  }

  @Test func numbersOfTheFilesOwnFormAreTold() {
    for values in [["2.50"], ["2", "2.50"], ["1.5", "2.50"], ["2.50", "1.5", "7"]] {
      #expect(kind(evidence(values)) == "numbers", "\(values)")
    }
    let separated = evidence(["1,234.50", "2"], thousands: UInt8(ascii: ","))
    #expect(kind(separated) == "numbers")
    #expect(kind("1,234.50", "2") == nil)
    let told = evidence(
      ["1.234,50", "2"], thousands: UInt8(ascii: "."), decimal: UInt8(ascii: ","))
    #expect(kind(told) == "numbers")
    // A thousand and a fraction look alike, unless other values tell.
    let comma = UInt8(ascii: ",")
    #expect(kind(evidence(["1,234", "2,500"], thousands: comma)) == nil)
    #expect(kind(evidence(["1,234", "2.50"], thousands: comma)) == "numbers")
    #expect(kind(evidence(["2,500", "1,234,567"], thousands: comma)) == "numbers")
    #expect(kind(evidence(["2.500", "3"], thousands: comma)) == "numbers")
    #expect(kind("1.234", "2.500") == nil && kind("2.500", "2.5", "1.10") == "numbers")
    let german = evidence(["1.234", "2"], thousands: UInt8(ascii: "."), decimal: comma)
    #expect(kind(german) == nil)
    for values in [
      ["2.50", "02"], ["2.50", "1e3"], ["2.50", "+1"], ["2.50", "1."], ["2.5"], ["2"],
    ] {
      #expect(evidence(values).offer(for: "T.c") == nil, "\(values)")
    }
  }

  /// The comma is told for all columns, so that points of others would mean something else.
  @Test func pointsOfOtherColumnsAreTold() throws {
    for (other, isTold) in [
      ("1.5", true), ("2.50", true), ("7", false), ("2,50", false), ("x", false),
      ("1.2.2016", false),
    ] {
      var survey = PlainSurvey(rule)
      survey.addRow(["1,50", other])
      let offer = try #require(
        survey.offer(ofColumn: 0, called: "T.a", besidePoints: survey.hasPoints))
      #expect(offer.contains("others have numbers with points") == isTold, "\(other)")
    }
  }

  @Test func datesWithTheYearAtTheirEndAreTold() {
    #expect(kind("31.12.2016", "1.2.2016 09:15") == "dates with the day first")
    #expect(kind("12/31/2016", "1/2/2016 1:05 PM") == "dates with the month first")
    #expect(kind("01.02.2016", "03.04.2016") == "dates with the day or the month first")
    #expect(kind("2016-10-01", "31.12.2016") == "dates with the day first")
    #expect(kind(evidence(["31.12.2016"], isText: true)) == "dates with the day first")
    for values in [
      ["31.12.16"], ["31.12.2016", "12/31/2016"], ["31.12.2016", "x"], ["2016-10-01"],
    ] {
      #expect(evidence(values).offer(for: "T.c") == nil, "\(values)")
    }
  }

  /// A file that is read in pieces says the same as in one.
  @Test func piecesSayTheSameAsTheWhole() {
    let values = [
      "1", "1,5", "1,234", "2.50", "1.5", "1.234", "-0", "1e-7", "0.12345678901234567", "true",
      "no", "31.12.2016", "01.02.2016", "2016-10-01",
      "x",
      "12/31/2016", "9007199254740993",
    ]
    var told = 0
    for first in values {
      for second in values {
        for third in values {
          let whole = evidence([first, second, third])
          for cut in 0...3 {
            var parts = evidence([first, second, third].prefix(cut))
            parts.add(evidence([first, second, third].dropFirst(cut)), after: cut)
            #expect(
              parts.offer(for: "T.c") == whole.offer(for: "T.c"),
              "\(first) \(second) \(third) \(cut)")
          }
          told += whole.offer(for: "T.c") == nil ? 0 : 1
        }
      }
    }
    #expect(told > 20)
  }
}

extension PlainSurvey {
  /// Takes a row with columns a, b and so on.
  fileprivate mutating func addRow(_ values: [String]) {
    beginRow()
    for (place, value) in values.enumerated() {
      if rows == 1 { _ = add(name: Array("abc".utf8.dropFirst(place).prefix(1))) }
      add(Array(value.utf8).span, at: place, isText: false)
    }
  }
}
