import TestSupport
import Testing
import XMLFormat

struct XMLPropertyListTests {
  static let accepted = Fixture.all(in: "plist/accept", extension: "plist")
  static let rejected = Fixture.all(in: "plist/reject", extension: "plist")

  @Test func valuesAreWhatPythonReads() throws {
    let expected = try Python.rows(
      Self.oracle, input: Self.accepted.map { try $0.bytes() })
    for (fixture, expected) in zip(Self.accepted, expected) {
      let list = try XMLPropertyList(parsing: try fixture.bytes())
      #expect(list.dump == expected.map { String(decoding: $0, as: UTF8.self) }, "\(fixture.name)")
    }
  }

  @Test(arguments: rejected)
  func rejectedListHasTheExpectedCode(fixture: Fixture) throws {
    let bytes = try fixture.bytes()
    let error = #expect(throws: XMLError.self) { _ = try XMLPropertyList(parsing: bytes) }
    #expect(error?.code == fixture.expectedCode, "\(error?.message ?? "")")
  }

  @Test(arguments: accepted)
  func listCutAnywhereIsRefused(fixture: Fixture) throws {
    let bytes = try fixture.bytes()
    let end = try #require(bytes.lastIndex(of: UInt8(ascii: ">")))
    for size in 0..<end {
      #expect(throws: XMLError.self, "cut to \(size) bytes") {
        _ = try XMLPropertyList(parsing: Array(bytes[..<size]))
      }
    }
  }

  @Test func listInsideADocumentEndsWithItsElement() throws {
    let text = "<store><plist><dict><key>a</key><integer>1</integer></dict></plist><next/></store>"
    var reader = try XMLReader(bytes: Array(text.utf8))
    _ = try reader.next()
    _ = try reader.next()
    let list = try XMLPropertyList(reading: &reader)
    #expect(list["a"] == .integer(1))
    _ = try reader.next()
    #expect(reader.name == "next")
  }

  private static let oracle = """
    def lines(v):
        if isinstance(v, bool): return ['true' if v else 'false']
        if isinstance(v, int): return ['integer ' + str(v)]
        if isinstance(v, float): return ['real ' + v.hex()]
        if isinstance(v, str): return ['string ' + v]
        if isinstance(v, bytes): return ['data ' + v.hex()]
        if isinstance(v, datetime.datetime):
            return ['date ' + str(int((v - datetime.datetime(2001, 1, 1)).total_seconds()))]
        if isinstance(v, list): return ['array'] + [l for e in v for l in lines(e)] + ['end']
        return ['dict'] + [l for k, e in v.items() for l in ['key ' + k] + lines(e)] + ['end']
    for i in inputs: row(*lines(plistlib.loads(i, fmt=plistlib.FMT_XML)))

    """
}

extension XMLPropertyList {
  /// The values in order, one a line.
  fileprivate var dump: [String] {
    switch self {
    case .boolean(let value): [value ? "true" : "false"]
    case .integer(let value): ["integer \(value)"]
    case .unsigned(let value): ["integer \(value)"]
    case .real(let value): ["real \(value.hexadecimal)"]
    case .string(let text): ["string \(text)"]
    case .data(let bytes):
      ["data " + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()]
    case .date(let seconds): ["date \(Int(seconds))"]
    case .array(let elements): ["array"] + elements.flatMap(\.dump) + ["end"]
    case .dictionary(let entries):
      ["dict"] + entries.flatMap { ["key \($0.key)"] + $0.value.dump } + ["end"]
    }
  }
}

extension Double {
  /// The number as Python's `float.hex` writes it.
  fileprivate var hexadecimal: String {
    if isInfinite { return self < 0 ? "-inf" : "inf" }
    let digits = String(significandBitPattern, radix: 16)
    let fraction = String(repeating: "0", count: 13 - digits.count) + digits
    return "\(self < 0 ? "-" : "")0x1.\(fraction)p\(exponent < 0 ? "" : "+")\(exponent)"
  }
}
