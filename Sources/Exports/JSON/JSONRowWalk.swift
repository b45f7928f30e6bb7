import Bytes
import Formats

/// Goes through JSON from row to row, along the ways that lead to the rows of tables.
///
/// Of all that lies beside the rows it keeps what tells about them.
struct JSONRowWalk {
  /// An object or array that is open and is no row.
  private struct Level {
    /// Where it is on the ways; nil where it only tells about the rows.
    let node: Int?
    let isArray: Bool
  }

  private let ways: JSONWays
  private var levels: [Level] = []
  /// The members of the open objects so far.
  private var names: [Set<[UInt8]>] = []
  /// Whether the walk ends with the array in which it began.
  private let isInside: Bool
  /// How many arrays may lie around a row, one in the other.
  private let mostArrays: Int
  /// What lies beside the rows.
  private(set) var answer = JSONAnswer()
  /// How many arrays were found at the place of each table.
  private(set) var arrays: [Int: Int] = [:]

  /// What the page that goes on has, as long as it may tell of a failure in place of rows.
  private var page: [JSONMember] = []
  private var pageStart = 0
  /// Whether it has rows, or an array where they would be.
  private var pageHasRows = false

  /// An answer that tells of a failure has no more members.
  private static let mostOfFailure = 64
  /// More members in one object are none of an answer.
  private static let mostNames = 1 << 16

  /// Goes through whole documents; pages that lie in an array may be arrays themselves.
  init(_ ways: JSONWays, mostArrays: Int = 2) {
    self.ways = ways
    self.mostArrays = mostArrays
    isInside = false
  }

  /// Goes through the rest of an array whose elements are the rows of one table.
  init(insideArray: Void) {
    ways = .root
    mostArrays = 1
    levels = [Level(node: 0, isArray: true)]
    isInside = true
  }

  /// The table of the next row, whose object was just opened and must be read before the next call;
  /// nil at the end.
  mutating func nextRow(_ reader: inout JSONReader) throws(FormatError) -> Int? {
    while let level = levels.last {
      if let table = try goOn(level, &reader) { return table }
    }
    if isInside { return nil }
    while let token = try reader.next() {
      if let table = try enter(token, node: 0, &reader) { return table }
      while let level = levels.last {
        if let table = try goOn(level, &reader) { return table }
      }
    }
    return nil
  }

  /// Goes one step on inside of what is open.
  private mutating func goOn(
    _ level: Level, _ reader: inout JSONReader
  ) throws(FormatError) -> Int? {
    guard let token = try reader.next() else { throw reader.unexpected("the rows have no end") }
    if level.isArray {
      guard token == .endArray else { return try enterElement(token, level, &reader) }
    } else if token == .key {
      return try enterMember(level, &reader)
    } else {
      names.removeLast()
      if level.node == 0 { try endPage() }
    }
    levels.removeLast()
    return nil
  }

  @inline(__always)
  private mutating func enterElement(
    _ token: JSONReader.Token, _ level: Level, _ reader: inout JSONReader
  ) throws(FormatError) -> Int? {
    guard let node = level.node else { return nil }
    if token == .beginObject, let table = ways.table(at: node) {
      answer.addRow(ofTable: table)
      return table
    }
    return try enter(token, node: node, &reader)
  }

  /// Goes into a value on a way.
  private mutating func enter(
    _ token: JSONReader.Token, node: Int, _ reader: inout JSONReader
  ) throws(FormatError) -> Int? {
    let table = ways.table(at: node)
    switch token {
    case .beginObject:
      if let table {
        pageHasRows = true
        answer.addRow(ofTable: table)
        return table
      }
      // An array around pages is none itself.
      if node == 0 { beginPage(reader) }
      levels.append(Level(node: node, isArray: false))
      names.append([])
    case .beginArray:
      if let table {
        guard canNest(node) else { throw reader.unexpected("a row must be an object") }
        arrays[table, default: 0] += 1
        pageHasRows = true
      }
      levels.append(Level(node: node, isArray: true))
    case .null where table != nil && levels.last?.isArray == false: break
    default:
      if table != nil { throw reader.unexpected("a row must be an object") }
      // Where nothing is said, nothing is lost.
      if JSONAnswer.isTrue(token, reader.text) {
        throw reader.unexpected("a value stands where rows must lie deeper")
      }
    }
    return nil
  }

  private mutating func beginPage(_ reader: borrowing JSONReader) {
    answer.beginPage()
    page.removeAll(keepingCapacity: true)
    pageStart = reader.tokenOffset
    pageHasRows = false
  }

  /// Throws where the page has no rows, and says that something has failed.
  private func endPage() throws(FormatError) {
    guard !pageHasRows, page.count < Self.mostOfFailure, page.tellOfFailure else {
      return
    }
    throw FormatError(
      .invalid, at: pageStart,
      "page \(answer.pages) is the answer of a service that tells of an error",
      advice: "ask the service again")
  }

  /// Keeps what a page says in a member of its own, as long as it has no rows.
  private mutating func keep(
    _ name: [UInt8], _ kind: JSONMember.Kind, _ text: [UInt8] = [], isText: Bool = false
  ) {
    guard levels.last?.node == 0, !pageHasRows, page.count < Self.mostOfFailure else {
      return
    }
    page.append(
      JSONMember(name: name, word: JSONWords.word(name), kind: kind, text: text, isText: isText))
  }

  /// Whether an array of rows may begin.
  private func canNest(_ node: Int) -> Bool {
    levels.suffix(mostArrays).filter { $0.isArray && $0.node == node }.count < mostArrays
  }

  /// Throws where an object around the rows, which is held in memory, has more members than that.
  static func checkMemberCount(
    _ count: Int, _ reader: borrowing JSONReader
  ) throws(FormatError) {
    guard count > mostNames else { return }
    throw reader.unexpected("an object around the rows has too many members")
  }

  private mutating func enterMember(
    _ level: Level, _ reader: inout JSONReader
  ) throws(FormatError) -> Int? {
    let name = reader.text
    guard names[names.count - 1].insert(name).inserted else {
      throw reader.unexpected("a member comes twice")
    }
    try Self.checkMemberCount(names[names.count - 1].count, reader)
    guard let token = try reader.next() else { throw reader.unexpected("a value is missing") }
    if let node = level.node, let child = ways.child(of: node, named: name) {
      keep(name, token == .beginArray ? .emptyArray : token == .beginObject ? .object : .empty)
      return try enter(token, node: child, &reader)
    }
    try passOver(name, token, isInside: level.node == nil, &reader)
    return nil
  }

  /// Takes a member that leads to no rows, whose value begins with `token`.
  private mutating func passOver(
    _ name: [UInt8], _ token: JSONReader.Token, isInside: Bool, _ reader: inout JSONReader
  ) throws(FormatError) {
    let word = JSONWords.word(name)
    // What lies two levels deep may be about anything else.
    let isDeep = levels.suffix(2).count(where: { $0.node == nil }) == 2
    if isDeep, !JSONWords.tellsOfPages(word) {
      let isOther = !JSONWords.isAbout(word) || JSONWords.failures.contains(word)
      if isOther, JSONAnswer.isTrue(token, reader.text) { answer.addAside(name) }
      try reader.skipValue(from: token)
    } else if JSONWords.failures.contains(word) {
      let isTold = try skipFailure(from: token, &reader)
      keep(name, isTold ? .scalar : .empty)
      if isTold { answer.addFailure(name) }
    } else if token == .beginObject,
      (isInside ? JSONWords.aboutInside : JSONWords.about).contains(word)
    {
      keep(name, .object)
      answer.addSureness(name, word)
      levels.append(Level(node: nil, isArray: false))
      names.append([])
    } else if token == .beginObject || token == .beginArray {
      let inside = try JSONInside(reading: token, &reader)
      keep(name, !inside.saysSomething ? .empty : inside.isArray ? .otherArray : .object)
      answer.add(name, word, inside)
    } else {
      let isSaid = JSONAnswer.isTrue(token, reader.text)
      keep(
        name, isSaid ? .scalar : .empty, token == .string || token == .number ? reader.text : [],
        isText: token == .string)
      answer.add(name, word, token, reader.text)
    }
  }

  /// Passes over what tells of a failure; false where that is nothing.
  private func skipFailure(
    from token: JSONReader.Token, _ reader: inout JSONReader
  ) throws(FormatError) -> Bool {
    guard token == .beginArray || token == .beginObject else {
      let isTold = JSONAnswer.isTrue(token, reader.text)
      try reader.skipValue(from: token)
      return isTold
    }
    let level = reader.depth
    let first = try reader.next()
    guard first != .endArray, first != .endObject else { return false }
    while reader.depth >= level, try reader.next() != nil {}
    return true
  }
}
