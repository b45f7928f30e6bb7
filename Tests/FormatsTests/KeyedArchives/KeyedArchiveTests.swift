import Formats
import TestSupport
import Testing

struct KeyedArchiveTests {
  @Test(arguments: Fixture.all(in: "archive/accept", extension: "plist"))
  func plainArchiveReadsAsItsJSON(_ fixture: Fixture) throws {
    let archive = try KeyedArchive(parsing: fixture.bytes())
    #expect(try archive.decodedJSON() == fixture.expectedJSON())
  }

  @Test(arguments: Fixture.all(in: "archive/not-plain", extension: "plist"))
  func archiveWithAnythingElseHasNoJSON(_ fixture: Fixture) throws {
    let archive = try KeyedArchive(parsing: fixture.bytes())
    #expect(try archive.decodedJSON() == nil)
  }

  @Test(arguments: Fixture.all(in: "archive/reject", extension: "plist"))
  func rejectedArchiveGivesItsCode(_ fixture: Fixture) throws {
    let bytes = try fixture.bytes()
    #expect(code { try KeyedArchive(parsing: bytes) } == fixture.expectedCode)
  }

  @Test func fieldsAreReachedThroughReferences() throws {
    let root = try KeyedArchive(
      parsing: TestPlist.archive([
        .object(
          class: 2,
          [
            ("name", .uid(3)), ("nothing", .uid(0)), ("flag", .boolean(true)), ("one", .integer(1)),
            ("seven", .integer(7)), ("half", .real(0.5)), ("self", .uid(1)),
          ]),
        .classChain("Child", "Parent", "NSObject"), .string("text"),
      ])
    ).root
    #expect(root.className == "Child")
    #expect(root.classNames == ["Child", "Parent", "NSObject"])
    #expect(root["name"]?.string == "text")
    #expect(root["nothing"] == nil)
    #expect(root["absent"] == nil)
    #expect(root["flag"]?.boolean == true)
    #expect(root["flag"]?.integer == nil)
    #expect(root["one"]?.boolean == true)
    #expect(root["seven"]?.boolean == nil)
    #expect(root["seven"]?.integer == 7)
    #expect(root["seven"]?.real == 7)
    #expect(root["half"]?.real == 0.5)
    #expect(root["self"]?.identity == root.identity)
    #expect(root["name"]?.identity != root.identity)
    #expect(root["name"]?.className == nil)
    #expect(root.elements == nil)
    #expect(root.string == nil)
  }

  @Test func subclassOfACollectionHasElementsButNoJSON() throws {
    let archive = try KeyedArchive(
      parsing: TestPlist.archive([
        .object(class: 2, [("NS.objects", .array([.uid(3), .uid(0)])), ("own", .integer(1))]),
        .classChain("Special", "NSArray", "NSObject"), .string("x"),
      ]))
    let elements = try #require(archive.root.elements)
    #expect(elements.map(\.string) == ["x", nil])
    #expect(elements.map(\.isNull) == [false, true])
    #expect(try archive.decodedJSON() == nil)
  }

  @Test func objectWithoutSuperclassListHasItsOwnClassName() throws {
    let root = try KeyedArchive(
      parsing: TestPlist.archive([
        .object(class: 2, [("NS.string", .string("x"))]),
        .dictionary([("$classname", .string("NSString"))]),
      ])
    ).root
    #expect(root.classNames == ["NSString"])
    #expect(root.string == "x")
  }

  @Test func archiveThatContainsItselfIsInvalidAsJSON() throws {
    let archive = try KeyedArchive(
      parsing: TestPlist.archive([
        .object(class: 2, [("NS.objects", .array([.uid(3)]))]), .classChain("NSArray", "NSObject"),
        .object(class: 2, [("NS.objects", .array([.uid(1)]))]),
      ]))
    #expect(archive.root.elements?.first?.elements?.first?.identity == archive.root.identity)
    #expect(code { try archive.decodedJSON() } == .invalid)
  }

  /// Twenty-eight arrays, each naming the next one ten times.
  @Test func billionLaughsStopAtTheLimit() throws {
    let clock = ThreadClock()
    var objects: [TestPlist] = []
    for number in 3...30 {
      let next = TestPlist.uid(number == 3 ? 3 : number)
      objects.append(
        .object(class: 2, [("NS.objects", .array(Array(repeating: next, count: 10)))]))
      if number == 3 { objects.append(.classChain("NSArray", "NSObject")) }
    }
    objects.append(.string("ha"))
    let archive = try KeyedArchive(parsing: TestPlist.archive(objects))
    let limits = FormatLimits(maxObjects: 20_000)
    #expect(code { try archive.decodedJSON(limits: limits) } == .limit)
    #expect(code { try archive.decodedJSON(limits: FormatLimits(maxDepth: 5)) } == .limit)
    #expect(clock.seconds < 60)
  }

  /// Each visit of the one large object must not look through all its fields.
  @Test func manyReferencesToOneLargeObjectTakeLittleTime() throws {
    let clock = ThreadClock()
    let fields = (0..<5_000).map { ("field \($0)", TestPlist.uid(0)) }
    let root = try KeyedArchive(
      parsing: TestPlist.archive([
        .object(class: 2, [("NS.objects", .array(Array(repeating: .uid(3), count: 20_000)))]),
        .classChain("NSArray", "NSObject"),
        .object(class: 4, fields + [("NS.string", .string("x"))]), .classChain("NSString"),
      ])
    ).root
    let elements = try #require(root.elements)
    #expect(elements.allSatisfy { $0.string == "x" })
    #expect(elements.first?["field 7"] == nil)
    #expect(try root.decodedJSON() == nil)
    #expect(clock.seconds < 60)
  }

  @Test func endlessClassChainStopsAtTheLimit() {
    let chain = TestPlist.dictionary([
      ("$classname", .string("A")),
      ("$classes", .array(Array(repeating: .string("A"), count: 257))),
    ])
    #expect(code { try KeyedArchive(parsing: TestPlist.archive([chain])) } == .limit)
  }

  @Test func deepestArchiveFitsASmallStack() throws {
    let bytes = TestPlist.archive(chain(of: 512))
    onSmallStack {
      let value = try? KeyedArchive(parsing: bytes).decodedJSON()
      #expect(value.map { json($0).count } == 1024)
    }
    let deeper = try KeyedArchive(parsing: TestPlist.archive(chain(of: 513)))
    #expect(code { try deeper.decodedJSON() } == .limit)
  }

  @Test func repeatedKeyIsInvalidAsJSON() throws {
    let archive = try KeyedArchive(
      parsing: TestPlist.archive([
        .object(
          class: 2,
          [("NS.keys", .array([.uid(3), .uid(3)])), ("NS.objects", .array([.uid(3), .uid(3)]))]),
        .classChain("NSDictionary", "NSObject"), .string("k"),
      ]))
    #expect(archive.root.entries?.count == 2)
    #expect(code { try archive.decodedJSON() } == .invalid)
  }

  /// Arrays inside each other; number 2 of the archive is their class.
  private func chain(of depth: Int) -> [TestPlist] {
    var objects: [TestPlist] = []
    for level in 1...depth {
      let inner = level == depth ? [] : [TestPlist.uid(level == 1 ? 3 : level + 2)]
      objects.append(.object(class: 2, [("NS.objects", .array(inner))]))
      if level == 1 { objects.append(.classChain("NSArray", "NSObject")) }
    }
    return objects
  }
}
