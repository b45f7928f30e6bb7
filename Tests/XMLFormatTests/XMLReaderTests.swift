import Foundation
import TestSupport
import Testing
import XMLFormat

struct XMLReaderTests {
  static let accepted = Fixture.all(in: "xml/accept", extension: "xml")
  static let acceptedWithDoctype = Fixture.all(in: "xml/accept-doctype", extension: "xml")
  static let rejected = Fixture.all(in: "xml/reject", extension: "xml")
  static let rejectedWithDoctype = Fixture.all(in: "xml/reject-doctype", extension: "xml")

  private static var keepingLayout: XMLOptions {
    var options = XMLOptions(allowingDoctype: true)
    options.keepsLayout = true
    return options
  }

  @Test func eventsAreWhatElementTreeSees() throws {
    let fixtures = Self.accepted + Self.acceptedWithDoctype
    let expected = try Python.rows(Self.oracle, input: fixtures.map { try $0.bytes() })
    for (fixture, expected) in zip(fixtures, expected) {
      let dump = EventDump(try fixture.bytes(), Self.keepingLayout)
      #expect(dump.code == nil, "\(fixture.name): \(dump.reason ?? "")")
      let lines = expected.map { String(decoding: $0, as: UTF8.self) }
      #expect(dump.lines == lines, "\(fixture.name)")
    }
  }

  @Test func layoutIsDroppedAndBlankValuesAreKept() throws {
    let fixtures = Self.accepted
    let expected = try Python.rows(
      Self.oracleWithoutLayout, input: fixtures.map { try $0.bytes() })
    for (fixture, expected) in zip(fixtures, expected) {
      let dump = EventDump(try fixture.bytes())
      let lines = expected.map { String(decoding: $0, as: UTF8.self) }
      #expect(dump.lines == lines, "\(fixture.name)")
    }
  }

  @Test(arguments: accepted + acceptedWithDoctype, [1, 2, 3, 5, 7, 64, 1_000, 4_096])
  func piecesOfAnySizeChangeNothing(fixture: Fixture, pieces: Int) throws {
    let bytes = try fixture.bytes()
    let options = XMLOptions(allowingDoctype: true)
    #expect(
      EventDump(bytes, pieces: pieces, options) == EventDump(bytes, pieces: .max / 2, options))
  }

  @Test(arguments: rejected)
  func rejectedDocumentHasTheExpectedCode(fixture: Fixture) throws {
    let dump = EventDump(try fixture.bytes())
    #expect(dump.code == fixture.expectedCode, "\(dump.reason ?? "accepted")")
  }

  @Test(arguments: rejectedWithDoctype)
  func rejectedDeclarationHasTheExpectedCode(fixture: Fixture) throws {
    let dump = EventDump(try fixture.bytes(), XMLOptions(allowingDoctype: true))
    let code: XMLError.Code =
      fixture.expectedCode == .doctype && Self.brokenDoctypes.contains(fixture.name)
      ? .notWellFormed : fixture.expectedCode
    #expect(dump.code == code, "\(dump.reason ?? "accepted")")
  }

  @Test(arguments: acceptedWithDoctype)
  func doctypeIsRefusedUnlessAllowed(fixture: Fixture) throws {
    #expect(EventDump(try fixture.bytes()).code == .doctype)
  }

  @Test(arguments: rejected, [1, 2, 3, 7, 64, 1_000])
  func piecesOfAnySizeGiveTheSameError(fixture: Fixture, pieces: Int) throws {
    let bytes = try fixture.bytes()
    let whole = EventDump(bytes, pieces: .max / 2)
    let dump = EventDump(bytes, pieces: pieces)
    #expect(dump.code == whole.code)
    #expect(dump.reason == whole.reason)
  }

  @Test(arguments: rejected + rejectedWithDoctype)
  func messageIsAPhrase(fixture: Fixture) throws {
    let reason = try #require(EventDump(try fixture.bytes()).reason)
    #expect(reason.first?.isUppercase == false || reason.first == "P" || reason.first == "X")
    #expect(!reason.hasSuffix("."))
    // Nor does it speak of the library's functions.
    #expect(!reason.contains(/\b[a-z]+[A-Z][A-Za-z]*:|xml[A-Z]|internal/), "\(reason)")
    #expect(!reason.contains { $0.isNewline })
  }

  private static let brokenDoctypes = [
    "doctype-after", "doctype-inside", "doctype-twice", "doctype-without-name", "doctype-lower",
  ]

  private static let walk = """
    import xml.etree.ElementTree as ElementTree
    def text(s): return ['text ' + s] if s else []
    def walk(e, keep):
        head = 'start ' + e.tag + '\\n' + '\\n'.join(sorted(f'{k}={v}' for k, v in e.items()))
        blank = lambda s: not s or not s.strip(' \\t\\r\\n')
        lines = [head]
        if keep or not len(e) or not blank(e.text): lines += text(e.text)
        for c in e:
            lines += walk(c, keep)
            if keep or not blank(c.tail): lines += text(c.tail)
        return lines + ['end ' + e.tag]

    """
  private static let oracle =
    walk + "for i in inputs: row(*walk(ElementTree.fromstring(i), True))\n"
  private static let oracleWithoutLayout =
    walk + "for i in inputs: row(*walk(ElementTree.fromstring(i), False))\n"
}
