import Foundation
import TestSupport
import Testing

/// Plain XML is rows in a root and columns in rows; whatever else stands there has a place.
struct PlainXMLTests {
  private let document = """
    <?xml version="1.0"?>
    <data xmlns="urn:example" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
      <Item id="a" n="1"><when>2016-10-01T09:15:30.123Z</when><text> two
    lines &amp; <![CDATA[<b>]]></text></Item>
      <Place><name>Ulm</name></Place>
      <Item id="b" n="2"><text/><when xsi:nil=" true&#10;"/><x>1.5</x></Item>
      <!-- an empty row -->
      <Item></Item>
      <Item id="c"><x>2</x><text xsi:nil="&#9;0 ">é</text></Item>
    </data>

    """

  @Test(arguments: ["data.xml", "data.csv"])
  func rowsOfEachNameBecomeATable(_ name: String) async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(document, to: name)
    let store = folder.path("store.rehome")
    let outcome = await rehome("seed", "-q", file, "-o", store)
    #expect(outcome.code == 0, "\(outcome.error)")
    let script = """
      import sqlite3, sys
      base = sqlite3.connect(sys.argv[1])
      for table in ['Item', 'Place']:
          for row in base.execute(f'SELECT * FROM {table}'): print(row)
      """
    #expect(
      try python(script, store) == """
        (1, 'a', 1, '2016-10-01T09:15:30.123Z', ' two\\nlines & <b>', None)
        (2, 'b', 2, None, '', 1.5)
        (3, None, None, None, None, None)
        (4, 'c', None, None, 'é', 2.0)
        (1, 'Ulm')

        """)
  }

  @Test(arguments: ["<dict><key>a</key><string>b</string></dict>", "<array/>", ""])
  func propertyListIsNoStore(_ content: String) async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("<plist version=\"1.0\">\(content)</plist>", to: "Info.plist")
    for command in ["audit", "inspect"] {
      let outcome = await rehome(command, file)
      #expect(outcome.code == 65)
      #expect(outcome.error.contains("property list"), "\(outcome.error)")
    }
  }

  /// Letters that look alike are told apart by their bytes, as in all other formats.
  @Test func namesOfOneLetterInTwoSpellingsStayApart() async throws {
    let folder = try TemporaryFolder()
    let names = ["\u{e9}", "e\u{301}"]
    let tables = names.map { "<\($0)><a>1</a></\($0)>" }.joined()
    let columns = names.map { "<row><\($0)>1</\($0)></row>" }.joined()
    for (content, count) in [(tables, 2), (columns, 1)] {
      // A comment takes the library where plain markup does without.
      for head in ["", "<!-- -->"] {
        let file = try folder.write("<r>\(head)\(content)</r>", to: "u.xml")
        let outcome = await rehome("seed", "--json", "-f", file, "-o", folder.path("o"))
        #expect(outcome.code == 0, "\(outcome.error)")
        let found = try #require(try outcome.json()["tables"] as? [[String: Any]])
        #expect(found.count == count)
        let listed = await rehome("export", "-q", folder.path("o"), "--to", "json")
        for name in names { #expect(listed.text.contains("\"\(name)\""), "\(listed.text)") }
      }
    }
  }

  @Test func rowsThatAreCalledRowAreTheFilesTable() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("<r><row><a>1</a></row><row><a>2</a></row></r>", to: "Item.xml")
    let report = try await rehome("inspect", "--json", file).json()
    let store = try #require((report["stores"] as? [[String: Any]])?.first)
    #expect(store["layout"] as? String == "xml")
    let table = try #require((store["tables"] as? [[String: Any]])?.first)
    #expect(table["name"] as? String == "Item")
    #expect(table["rows"] as? Int == 2)
  }

  @Test(arguments: [
    ("<r><a>\n<b><c>1</c></b></a></r>", "line 2", "an element stands inside a column"),
    ("<r><a><b>1</b>\nx</a></r>", "line 2", "text stands where a column must be"),
    ("<r><a><b>1</b></a>\nx</r>", "line 2", "text stands where a row must be"),
    ("<r>\n<a b='1'><b>1</b></a></r>", "line 2", "a column comes twice"),
    ("<r>\n<a><b>1</b><b>1</b></a></r>", "line 2", "a column comes twice"),
    ("<r>\n<a><b x='1'>1</b></a></r>", "line 2", "an attribute other than xsi:nil"),
    ("<r><a><b>1</b></a>\n", "line 1, column 19", "the document ends early"),
    ("<r><a><b>1</b></a></r>\n<r/>", "line 2, column ", "xtra content"),
    ("<r><a><b>1</c></a></r>", "line 1, column ", "mismatch"),
    ("<r><a><b>&x;</b></a></r>", "line 1", "entity"),
    (
      "<r xmlns:i='http://www.w3.org/2001/XMLSchema-instance'><a>\n<b i:nil='1'>1</b></a></r>",
      "line 2", "a column that is nil has a value"
    ),
  ])
  func otherXMLIsRefusedWithItsPlace(
    _ text: String, _ place: String, _ message: String
  ) async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(text, to: "Item.xml")
    let outcome = await rehome("seed", file, "-o", folder.path("o"))
    #expect(outcome.code == 65)
    #expect(outcome.error.contains(place) && outcome.error.contains(message), "\(outcome.error)")
    #expect(!folder.names.contains("o"))
  }

  @Test(arguments: [
    ("<notes><note><id>1</id><htmlBody>x</htmlBody></note></notes>", 0),
    ("<r><row><a>&lt;html></a><b><![CDATA[<html>]]></b></row></r>", 0),
    ("<htmlPages><page><a>1</a></page></htmlPages>", 0),
    ("<html><body><p>1</p></body></html>", 65),
    ("<!-- a page -->\n<HTML lang='en'><head><b>1</b></head></HTML>", 65),
    ("<!DOCTYPE\nhtml PUBLIC 'x' 'y'><html><head><b>1</b></head></html>", 65),
    ("<?xml version='1.0'?><!DOCTYPE html><html><head><b>1</b></head></html>", 65),
  ])
  func pageOfTheWebIsToldByItsRoot(_ text: String, _ code: Int32) async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(text, to: "T.xml")
    let outcome = await rehome("seed", "-q", file, "-o", folder.path("o"))
    #expect(outcome.code == code, "\(outcome.error)")
  }

  @Test(arguments: [String.Encoding.utf16LittleEndian, .utf16BigEndian])
  func rowsInUTF16AreRecognised(_ encoding: String.Encoding) async throws {
    let folder = try TemporaryFolder()
    let text = "\u{FEFF}<?xml version='1.0' encoding='UTF-16'?><d><row><a>1</a></row></d>"
    let file = try folder.write(
      [UInt8](try #require(text.data(using: encoding))), to: "T.xml")
    let outcome = await rehome("seed", file, "-o", folder.path("o"))
    #expect(outcome.code == 0, "\(outcome.error)")
  }

  @Test func encodingThatIsNotReadIsTold() async throws {
    let folder = try TemporaryFolder()
    let text = "<?xml version='1.0' encoding='ISO-8859-1'?><d><row><a>\u{E4}</a></row></d>"
    let file = try folder.write(
      [UInt8](try #require(text.data(using: .isoLatin1))), to: "T.xml")
    let outcome = await rehome("seed", file, "-o", folder.path("o"))
    #expect(outcome.code == 65)
    #expect(outcome.error.contains("declares ISO-8859-1, and only UTF-8"), "\(outcome.error)")
    #expect(outcome.error.contains("iconv"), "\(outcome.error)")
  }
}
