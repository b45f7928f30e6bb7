import TestSupport
import Testing
import XMLFormat

struct TruncationTests {
  /// Documents small enough to be cut at every byte.
  static let documents = (XMLReaderTests.accepted + XMLReaderTests.acceptedWithDoctype).filter {
    ((try? $0.bytes().count) ?? .max) < 2_000
  }

  @Test func documentCutAnywhereBeforeItsLastTagEndsIsTruncated() throws {
    let documents = try Self.documents.map { try $0.bytes() }
    let verdicts = try #require(try Python.rows(Self.oracle, input: documents).first)
    #expect(verdicts.map(\.count) == documents.map(\.count))
    for ((fixture, bytes), verdicts) in zip(zip(Self.documents, documents), verdicts) {
      for (size, verdict) in verdicts.enumerated() {
        let dump = EventDump(Array(bytes[..<size]), XMLOptions(allowingDoctype: true))
        #expect(
          dump.code == (verdict == UInt8(ascii: "1") ? nil : .truncated),
          "\(fixture.name) cut to \(size) bytes: \(dump.reason ?? "")")
      }
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
    import xml.etree.ElementTree as ElementTree
    def whole(b):
        try: ElementTree.fromstring(b)
        except ElementTree.ParseError: return False
        return True
    row(*[''.join('01'[whole(i[:n])] for n in range(len(i))) for i in inputs])

    """
}
