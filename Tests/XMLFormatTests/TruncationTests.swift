import Testing
import XMLFormat

struct TruncationTests {
  /// Documents small enough to be cut at every byte.
  static let documents = (XMLReaderTests.accepted + XMLReaderTests.acceptedWithDoctype).filter {
    ((try? $0.bytes().count) ?? .max) < 2_000
  }

  @Test(arguments: documents)
  func documentCutAnywhereBeforeItsLastTagEndsIsTruncated(fixture: Fixture) throws {
    let bytes = try fixture.bytes()
    let verdicts = try PythonOracle.rows(Self.oracle, input: [bytes])
    let isWhole = try #require(verdicts.first?.first).map { $0 == UInt8(ascii: "1") }
    #expect(isWhole.count == bytes.count)
    for (size, isWhole) in isWhole.enumerated() {
      let dump = EventDump(Array(bytes[..<size]), XMLOptions(allowingDoctype: true))
      #expect(
        dump.code == (isWhole ? nil : .truncated), "cut to \(size) bytes: \(dump.reason ?? "")")
    }
  }

  @Test(arguments: documents)
  func bytesAfterTheCutNeverMatter(fixture: Fixture) throws {
    let bytes = try fixture.bytes()
    let whole = EventDump(bytes, XMLOptions(allowingDoctype: true))
    for size in 0..<bytes.count {
      let dump = EventDump(Array(bytes[..<size]), XMLOptions(allowingDoctype: true))
      #expect(whole.lines.starts(with: dump.lines), "cut to \(size) bytes")
    }
  }

  private static let oracle = """
    def whole(b):
        try: ElementTree.fromstring(b)
        except ElementTree.ParseError: return False
        return True
    row(*[''.join('01'[whole(i[:n])] for n in range(len(i))) for i in inputs])

    """
}
