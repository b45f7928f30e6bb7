import Testing
import XMLFormat

/// What is read without the library is what the library makes of it, to the lines of its errors.
struct ScannedMarkupTests {
  /// Documents of which most is plain, with something odd in some.
  private static let plain = [
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <r a="1" b='t&lt;wo'>
    <row pk="1"><v>one</v><v/><v></v><v>Größe &amp; €&#233;&#x1F600;</v><v> </v></row>
    <row pk="2"><v>two
    lines</v><n/><v>]] ></v><v>a&#10;b</v><v>\u{FFFD}\u{F8FF}</v></row >
    </r>

    """,
    "<Items>\r\n  <Item>\r\n    <Id>1</Id>\r\n    <Name a=\"b\">x\r\ny</Name >\r\n  </Item>\r\n</Items>\r\n",
    "<?xml version='1.0'?><a><b>1</b><c>2</c><b>3</b>four<c>5</c> <b/>\t<d\n e='f'\n/></a>",
    "<a><b>1</b><!-- odd --><b>2</b><![CDATA[<b>]]><b>3</b><?odd?><b>4</b></a>",
    "<a xmlns:x='y'><x:b>1</x:b><b>2</b></a>", "<a><b x='1' x='2'>1</b></a>",
    "<a><b>1</b><c>2</b></a>", "<a><b>1</b>]]></a>", "<a><b>&odd;</b></a>", "<a><b>1</b></a><c/>",
    "<größe><b>1</b></größe>", "<a><b>\u{FFFE}</b></a>", "<a b='\u{FFFF}'/>", "<a><b>1</b>\r</a>",
    "<a>\n\n<b>1</b>\n<c>\n<d\n>\n</e></c></a>", "\n\n <a/> \n", "<a b='1'c='2'/>", "<a b = '1'/>",
    """
    <?xml version="1.0"?>
    <rs xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:od='urn:office-data'
      xsi:noNamespaceSchemaLocation="a.xsd">
    <row od:n="1"><f name="a" xsi:nil="true" /><f xsi:nil='1'>1</f><od:f>2</od:f><od:f>3</od:f></row>
    <od:row xsi:nil="0" nil="0"><f>4</f ><od:f /></od:row>
    </rs>

    """,
    "<r xmlns:p='urn:p'><p:a><b><!-- odd --><p:c>1</p:c></b></p:a><p:a>2</p:a></r>",
    "<r xmlns:p='urn:p'><p:a><q:b>1</q:b></p:a></r>", "<r xmlns:p='urn:p'><p:a>1</q:a></r>",
    "<r xmlns:p='u' xmlns:q='u'><p:a><q:a>1</q:a></p:a><p:a>1</q:a></r>",
    "<r xmlns:p='u' xmlns:p='v'/>", "<r xmlns:p=''/>", "<r xmlns:p='a b&amp;c'><p:a/></r>",
    "<r xmlns:xml='u'/>", "<r xmlns:p='http://www.w3.org/2000/xmlns/'/>",
    "<r xmlns:p='u' p:q:r='1'/>",
    "<p:r xmlns:p='u'><p:a>1</p:a></p:r><!-- odd -->", "<r p:a='1' xmlns:p='u'><p:a>1</p:a></r>",
    "<r xmlns:p='u'><a xmlns:p='v'><p:b>1</p:b></a><p:b>2</p:b></r>",
    "<r xmlns:p='u'/><!-- odd -->x",
    "<r xmlns='u' xmlns:p='v'><a p:b='1'>1</a></r>", "<r xmlns:p='u'><p:>1</p:></r>",
    "<r xmlns:p='u'><a xml:space='preserve' p:b='&lt;'> </a><a p:b='1' p:b='2'/></r>",
    "<a>&#0;</a>", "<a>&#xFFFE;</a>", "<a>&#x110000;</a>", "<a>&#10", "<a b='<'/>", "<a></ a>",
  ].map { Array($0.utf8) }

  @Test(arguments: plain)
  func documentIsReadAsTheLibraryReadsIt(bytes: [UInt8]) {
    for pieces in [1, 2, 3, 7, 64, .max / 2] { compare(bytes, pieces: pieces) }
  }

  @Test(arguments: MutationTests.seeds)
  func damagedDocumentIsReadAsTheLibraryReadsIt(seed: UInt64) throws {
    var generator = SplitMix(seed)
    let fixtures = try (XMLReaderTests.accepted + XMLReaderTests.rejected).map { try $0.bytes() }
    for round in 0..<100 {
      let documents = round < 80 ? Self.plain : fixtures
      var bytes = documents.randomElement(using: &generator) ?? []
      for _ in 0..<Int.random(in: 1...3, using: &generator) { mutate(&bytes, &generator) }
      compare(bytes, pieces: .max / 2)
      compare(bytes, pieces: Int.random(in: 1...40, using: &generator))
    }
  }

  @Test(arguments: [1, 2, 3, 247, 248, 249, 250, 251, 252, 255, 256, 257, 258])
  func limitsAreTheSame(count: Int) {
    var options = XMLOptions()
    options.limits.depth = 250
    options.limits.attributes = 251
    options.limits.attributeBytes = 252
    options.limits.names = 250
    options.limits.textBytes = 255
    for document in Self.documents(with: 0..<count) {
      compare(Array(document.utf8), pieces: 1 << 16, options)
      compare(Array(document.utf8), pieces: 5, options)
    }
  }

  /// Documents in which the limits are met with so many of something.
  private static func documents(with numbers: Range<Int>) -> [String] {
    [
      String(repeating: "<a>", count: numbers.count)
        + String(repeating: "</a>", count: numbers.count),
      "<a " + numbers.map { "b\($0)=''" }.joined(separator: " ") + "/>",
      "<a b='\(String(repeating: "c", count: numbers.count))'/>",
      "<a>" + numbers.map { "<b\($0)>1</b\($0)>" }.joined() + "</a>",
      "<r>" + numbers.map { "<b\($0)>1</b\($0)>" }.joined() + "</r><!-- odd -->odd",
      "<r>" + numbers.map { "<b\($0) c=''/>" }.joined() + "</r><b></c>&x;",
      "<r xmlns='u'>" + numbers.map { "<b\($0)>1</b\($0)>" }.joined() + "</r>",
      "<r>" + numbers.map { "<b\($0)>1</b\($0)>" }.joined() + "<odd:a xmlns:odd='o'/></r>",
      "<a>\(String(repeating: "b", count: numbers.count))</a>",
      "<a><b>\(String(repeating: "b", count: numbers.count))</b><b/></a>",
      "<a><b>\(String(repeating: "&lt;", count: numbers.count))</b><b/></a>",
      "<a\(String(repeating: "b", count: numbers.count * 4))/>",
    ]
  }

  @Test(arguments: 1...20)
  func limitsOfNamespacesAreTheSame(count: Int) {
    var options = XMLOptions()
    options.limits.namespaces = 10
    options.limits.attributes = 12
    options.limits.names = 14
    options.limits.nameBytes = 16
    let numbers = 0..<count
    let long = String(repeating: "n", count: count)
    for document in [
      "<r " + numbers.map { "xmlns:p\($0)='u\($0)'" }.joined(separator: " ") + "><b/></r>",
      "<r xmlns:p='u' " + numbers.map { "p:b\($0)=''" }.joined(separator: " ") + "/>",
      "<r xmlns:p='u'>" + numbers.map { "<p:b\($0)>1</p:b\($0)>" }.joined() + "</r>",
      "<r xmlns:p='\(long)'><p:b/></r>", "<r xmlns:p='u'><p:\(long)/></r>",
      "<r xmlns:\(long)='u'><\(long):b c=''/></r>", "<r><\(long)/></r>", "<r \(long)=''/>",
    ] {
      for pieces in [5, 1 << 16] { compare(Array(document.utf8), pieces: pieces, options) }
    }
  }

  /// What does not end within the bytes that are looked at together is as good as what does.
  @Test func longTagsAndTextsAreTheSame() {
    let long = String(repeating: "long ", count: 50_000)
    for document in [
      "<a b='\(long)'/>", "<a>\(long)<b>\(long)</b></a>", "<a>\(long)]]>\(long)</a>",
    ] {
      for pieces in [1 << 10, 1 << 16, 1 << 20] { compare(Array(document.utf8), pieces: pieces) }
    }
  }

  /// What comes with the error of whoever reads is no part of the document.
  @Test func bytesBeforeAnErrorOfReadingAreNotLookedAt() throws {
    for scans in [true, false] {
      var options = XMLOptions()
      options.scansPlainMarkup = scans
      var pieces = ["<a><b>1</b>", "<b><odd>\u{FFFE}\""][...]
      var reader = try XMLReader(options: options) { buffer in
        buffer += Array((pieces.popFirst() ?? "").utf8)
        if pieces.isEmpty { throw XMLError(.inputOutput, "it is gone") }
      }
      let dump = EventDump(&reader)
      #expect(dump.lines == ["start a\n", "start b\n", "text 1", "end b"], "\(scans)")
      #expect(dump.reason == "it is gone", "\(scans)")
    }
  }

  private func compare(_ bytes: [UInt8], pieces: Int, _ options: XMLOptions = XMLOptions()) {
    var library = options
    library.scansPlainMarkup = false
    let expected = EventDump(bytes, pieces: pieces, library)
    let seen = EventDump(bytes, pieces: pieces, options)
    let text = String(decoding: bytes.prefix(2000), as: UTF8.self)
    if seen == expected, seen.message == expected.message, seen.places == expected.places { return }
    // Where the bytes end or are no text, the library has not looked at all that comes before, and
    // does not see what is wrong with that; or it takes the end for a character.
    let ends: [XMLError.Code?] = [.encoding, .truncated]
    let isBehind = ends.contains(expected.code) || ends.contains(seen.code)
    #expect(
      isBehind && expected.code != nil && seen.code != nil,
      "pieces of \(pieces): \(seen), not \(expected): \(text)")
    #expect(seen.lines.starts(with: expected.lines), "\(seen), not \(expected): \(text)")
    #expect(seen.line ?? 0 >= expected.line ?? 0, "\(seen), not \(expected): \(text)")
  }
}
