import Bytes
import Testing
import XMLFormat

struct XMLReaderContentsTests {
  private func reader(_ text: String, _ names: [String] = []) throws -> XMLReader {
    try XMLReader(bytes: Array(text.utf8), names: names)
  }

  @Test func registeredNamesHaveTheirPlacesAsNumbers() throws {
    var reader = try reader("<b x=\"1\"><new/><a/></b>", ["a", "b", "x", "{urn:n}a"])
    #expect(try reader.next() == .startElement(1))
    #expect(reader.withAttribute(2) { $0[0] } == UInt8(ascii: "1"))
    #expect(reader.withAttribute(0) { _ in 0 } == nil)
    #expect(try reader.next() == .startElement(4))
    #expect(reader.names[4] == "new")
    #expect(try reader.next() == .endElement(4))
    #expect(try reader.next() == .startElement(0))
  }

  @Test func nameInANamespaceIsAnotherName() throws {
    var reader = try reader(
      "<a xmlns:p=\"urn:n\"><p:a p:x=\"1\" x=\"2\"/></a>", ["a", "{urn:n}a", "{urn:n}x", "x"])
    #expect(try reader.next() == .startElement(0))
    #expect(try reader.next() == .startElement(1))
    #expect(reader.withAttribute(2) { $0[0] } == UInt8(ascii: "1"))
    #expect(reader.withAttribute(3) { $0[0] } == UInt8(ascii: "2"))
  }

  @Test func depthAndLineFollowTheEvents() throws {
    var reader = try reader("<a>\n<b>\n<c/></b>\n</a>")
    var seen: [String] = []
    while let event = try reader.next() {
      if case .startElement = event { seen.append("\(reader.name) \(reader.depth) \(reader.line)") }
      if case .endElement = event { seen.append("/\(reader.name) \(reader.depth) \(reader.line)") }
    }
    #expect(seen == ["a 1 1", "b 2 2", "c 3 3", "/c 3 3", "/b 2 3", "/a 1 4"])
  }

  @Test func skippedElementLeavesTheNextOne() throws {
    var reader = try reader("<a><b><c>text</c><c/></b><d/></a>")
    _ = try reader.next()
    _ = try reader.next()
    try reader.skipElement()
    _ = try reader.next()
    #expect(reader.name == "d")
    try reader.skipElement()
    #expect(try reader.next() == .endElement(0))
    #expect(try reader.next() == nil)
  }

  @Test func textOfAnElementIsReadWhole() throws {
    var reader = try reader("<a><b>one<!-- -->two<![CDATA[<3>]]></b><b/><b><c/></b></a>")
    _ = try reader.next()
    _ = try reader.next()
    #expect(try reader.readText() == "onetwo<3>")
    _ = try reader.next()
    #expect(try reader.readText().isEmpty)
    _ = try reader.next()
    let error = #expect(throws: XMLError.self) { _ = try reader.readText() }
    #expect(error?.code == .unexpected)
    #expect(error?.line == 1)
  }

  @Test func contentsBelongToTheirEventOnly() throws {
    var reader = try reader("<a b=\"1\">text</a>")
    _ = try reader.next()
    #expect(reader.attribute("b") == "1")
    #expect(reader.withText { $0.count } == 0)
    _ = try reader.next()
    #expect(reader.attribute("b") == nil)
    #expect(reader.attributeCount == 0)
    #expect(reader.withText { $0.count } == 4)
    #expect(reader.name.isEmpty)
  }

  @Test func attributeThatIsNotThereEndsTheProcess() async {
    await #expect(processExitsWith: .failure) {
      let reader = try XMLReader(bytes: Array("<a/>".utf8))
      _ = reader.attributeName(at: 0)
    }
  }

  @Test(arguments: [
    (XMLError.Code.truncated, TroubleName.damaged), (.notWellFormed, .damaged),
    (.encoding, .damaged), (.unexpected, .damaged), (.doctype, .unsupported),
    (.entity, .unsupported), (.limit, .limit), (.inputOutput, .inputOutput),
  ])
  func everyCodeHasItsKindOfTrouble(code: XMLError.Code, kind: TroubleName) {
    let error = XMLError(code, line: 3, column: 5, "it is broken")
    #expect("\(error.kind)" == kind.rawValue)
    #expect(error.message == "it is broken (line 3, column 5)")
  }

  enum TroubleName: String, Sendable {
    case damaged
    case unsupported
    case limit
    case inputOutput
  }

  @Test(arguments: [
    ("<r><a>one</a></r>", "one"), ("<r><a>one</a> two</r>", "one"), ("<r><a></a></r>", ""),
    ("<r><a>o&lt;e</a></r>", nil), ("<r><a>o<![CDATA[n]]>e</a></r>", nil), ("<r><a/></r>", nil),
    ("<r><a>one<b/></a></r>", nil), ("<r><a b='c'>one</a></r>", nil), ("<r><b>one</b></r>", nil),
  ])
  func elementsOfOneTextAreTakenWhole(document: String, expected: String?) throws {
    var reader = try XMLReader(bytes: Array(document.utf8), names: ["r", "a"])
    let isTakenBefore = reader.takeLeaf(1)
    #expect(!isTakenBefore)
    #expect(try reader.next() == .startElement(0))
    let isTaken = reader.takeLeaf(1)
    #expect(isTaken == (expected != nil))
    guard let expected else { return }
    #expect((reader.name, reader.depth, reader.attributeCount) == ("a", 2, 0))
    var text: [UInt8] = []
    reader.appendText(to: &text)
    #expect(text == Array(expected.utf8))
    let isTakenAgain = reader.takeLeaf(1)
    #expect(!isTakenAgain)
    if document.contains("two") { #expect(try reader.next() == .text) }
    #expect(try reader.next() == .endElement(0))
    #expect(reader.depth == 1)
    #expect(try reader.next() == nil)
  }

  @Test func elementsOfOneTextAreMetEventByEvent() throws {
    var reader = try XMLReader(bytes: Array("<r><a>one</a><a></a></r>".utf8), names: ["r", "a"])
    var seen: [String] = []
    while let event = try reader.next() {
      seen.append("\(event) \(reader.depth) \(reader.withText { $0.count })")
    }
    #expect(
      seen == [
        "startElement(0) 1 0", "startElement(1) 2 0", "text 2 3", "endElement(1) 2 0",
        "startElement(1) 2 0", "endElement(1) 2 0", "endElement(0) 1 0",
      ])
  }
}
