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
    /// How many rows were met before it.
    var rowsBefore = 0
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
  private var groups = JSONPageGroups()
  private var holders = JSONRowHolders()
  private var rows = 0
  /// How many arrays were found at the place of each table.
  private(set) var arrays: [Int: Int] = [:]

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
    }
    levels.removeLast()
    leave(level)
    return nil
  }

  /// Looks back at what just ended.
  private mutating func leave(_ level: Level) {
    let isAmongPages = levels.last?.isArray ?? true
    if !level.isArray {
      let members = names.removeLast()
      guard let node = level.node, isAmongPages else { return }
      if level.rowsBefore == rows, levels.last != nil { holders.addEmpty(at: node) }
      let isPage = members.contains { ways.child(of: node, named: $0) != nil }
      answer.addStrays(groups.add(isPage: isPage, isEmpty: members.isEmpty))
    } else if let node = level.node, ways.table(at: node) == nil {
      answer.addStrays(groups.close(isAmongPages: isAmongPages))
      answer.addEmptyHolders(holders.close(node))
    }
  }

  @inline(__always)
  private mutating func enterElement(
    _ token: JSONReader.Token, _ level: Level, _ reader: inout JSONReader
  ) throws(FormatError) -> Int? {
    guard let node = level.node else { return nil }
    if token == .beginObject, let table = ways.table(at: node) {
      answer.addRow(ofTable: table)
      rows &+= 1
      return table
    }
    if token == .null { holders.addEmpty(at: node) }
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
        answer.addRow(ofTable: table)
        rows &+= 1
        if let array = levels.last(where: \.isArray)?.node { holders.addRow(in: array) }
        return table
      }
      // An array around pages is none itself.
      if node == 0 { answer.beginPage() }
      levels.append(Level(node: node, isArray: false, rowsBefore: rows))
      names.append([])
    case .beginArray:
      if let table {
        guard canNest(node) else { throw reader.unexpected("a row must be an object") }
        arrays[table, default: 0] += 1
        if let array = levels.last(where: \.isArray)?.node { holders.addList(in: array) }
      } else {
        groups.open()
      }
      levels.append(Level(node: node, isArray: true))
    case .null where table != nil && levels.last?.isArray == false: break
    default:
      if table != nil { throw reader.unexpected("a row must be an object") }
      answer.addStray(token, reader.text)
    }
    return nil
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
      return try enter(token, node: child, &reader)
    }
    let word = JSONWords.word(name)
    // What lies two levels deep may be about anything else.
    if levels.suffix(2).count(where: { $0.node == nil }) == 2, !JSONWords.tellsOfPages(word) {
      try reader.skipValue(from: token)
      return nil
    }
    if JSONWords.failures.contains(word) {
      if try skipFailure(from: token, &reader) { answer.addFailure(name) }
      return nil
    }
    if JSONWords.next.contains(word), token == .beginObject || token == .beginArray {
      if try JSONInside(&reader).saysSomething { answer.addNext() }
      return nil
    }
    if JSONWords.counts.contains(word), token == .beginObject {
      let inside = try JSONInside(&reader)
      if let count = inside.count { answer.addClaim(name, count) }
      if inside.isOther { answer.addAside(name) }
      return nil
    }
    answer.add(name, word, token, reader.text)
    let about = level.node == nil ? JSONWords.aboutInside : JSONWords.about
    if token == .beginObject, about.contains(word) {
      levels.append(Level(node: nil, isArray: false))
      names.append([])
    } else if token == .beginArray, JSONWords.linkLists.contains(word) {
      let links = try skipLinks(&reader)
      if links.hasNext { answer.addNext() }
      if links.hasOthers { answer.addAside(name) }
    } else if JSONWords.isSingle(token, name, word) {
      if try JSONInside(&reader).isOther { answer.addAside(name) }
    } else {
      try reader.skipValue(from: token)
    }
    return nil
  }

  /// Passes over an array of links, which was just opened; tells whether one of them leads to a next
  /// page, and whether an object in it is no link.
  private func skipLinks(
    _ reader: inout JSONReader
  ) throws(FormatError) -> (hasNext: Bool, hasOthers: Bool) {
    let level = reader.depth
    var (hasNext, hasOthers) = (false, false)
    var (isNext, isLink, hasAddress) = (false, false, false)
    var key = ""
    while reader.depth >= level, let token = try reader.next() {
      switch token {
      case .beginObject where reader.depth == level + 1:
        (isNext, isLink, hasAddress) = (false, false, false)
      case .endObject where reader.depth == level:
        hasNext = hasNext || isNext && hasAddress
        hasOthers = hasOthers || !isLink
      case .key:
        key = reader.depth == level + 1 ? JSONWords.word(reader.text) : ""
        isLink = isLink || JSONWords.relations.contains(key) || JSONWords.addresses.contains(key)
      case .string where JSONWords.relations.contains(key):
        isNext = isNext || JSONWords.word(reader.text) == "next"
      case .string where JSONWords.addresses.contains(key):
        hasAddress = hasAddress || !reader.text.isEmpty
      default: break
      }
    }
    return (hasNext, hasOthers)
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
