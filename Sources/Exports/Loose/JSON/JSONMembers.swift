import Bytes
import Formats

/// The members of an object in which rows may lie: what each holds, and where objects are listed.
struct JSONMembers {
  private(set) var members: [JSONMember] = []
  /// Arrays of objects that lie deeper, by their ways.
  private(set) var deeper: [[[UInt8]]] = []
  /// Arrays without elements that lie deeper.
  private var emptyDeeper: [[[UInt8]]] = []
  /// How many objects are listed in arrays that lie deeper.
  private var rowsDeeper = 0

  private static let mostMembers = 4096
  private static let mostDeeper = 8

  /// Reads an object that was just opened, to its end.
  init(_ reader: inout JSONReader) throws(FormatError) {
    while try reader.next() == .key {
      let name = reader.text
      guard let token = try reader.next() else { return }
      let known = deeper.count
      let word = JSONWords.word(name)
      let (kind, rows, mayTell) = try content(of: token, named: name, word, &reader)
      var member = JSONMember(name: name, word: word, kind: kind)
      member.rows = rows
      member.hasRowsInside = deeper.count > known
      member.isText = token == .string
      if token == .string || token == .number, name.count < 64 { member.text = reader.text }
      member.mayTell = mayTell
      // A row may have many members, an answer never has so many; but each array may be a table.
      guard members.count < Self.mostMembers || member.kind.mayBeTable else { continue }
      try JSONRowWalk.checkMemberCount(members.count, reader)
      members.append(member)
    }
  }

  private mutating func content(
    of token: JSONReader.Token, named name: [UInt8], _ word: String, _ reader: inout JSONReader
  ) throws(FormatError) -> (kind: JSONMember.Kind, rows: Int, mayTell: Bool) {
    guard token == .beginArray || token == .beginObject else {
      let kind = JSONAnswer.isTrue(token, reader.text) ? JSONMember.Kind.scalar : .empty
      return (kind, 0, JSONWords.mayTell(token, reader.text, in: word))
    }
    // What is none of an answer by its name may have all the rows inside.
    var inside = JSONWords.isAbout(word) ? JSONInside(from: token, reader) : nil
    var (kind, rows) = (JSONMember.Kind.object, 0)
    if token == .beginArray {
      (kind, rows) = try contentOfArray(&reader, &inside)
    } else {
      try lookInside(&reader, name, &inside)
    }
    return (kind, rows, inside.map { JSONWords.mayTell($0, in: word) } ?? true)
  }

  /// Reads an array that was just opened, to its end.
  private func contentOfArray(
    _ reader: inout JSONReader, _ inside: inout JSONInside?
  ) throws(FormatError) -> (kind: JSONMember.Kind, rows: Int) {
    let level = reader.depth
    guard let first = try reader.next(), first != .endArray else { return (.emptyArray, 0) }
    inside?.take(first, reader)
    var rows = 1
    while reader.depth >= level, let token = try reader.next() {
      inside?.take(token, reader)
      if token == .beginObject, reader.depth == level + 1 { rows += 1 }
    }
    return first == .beginObject ? (.rows, rows) : (.otherArray, 0)
  }

  /// Reads an object inside of a member to its end, for arrays of objects in it.
  private mutating func lookInside(
    _ reader: inout JSONReader, _ name: [UInt8], _ inside: inout JSONInside?
  ) throws(FormatError) {
    var way = [name]
    var key: [UInt8] = []
    while !way.isEmpty, let token = try reader.next() {
      inside?.take(token, reader)
      switch token {
      case .key: key = reader.text
      case .beginObject: way.append(key)
      case .endObject: way.removeLast()
      case .beginArray:
        let (kind, rows) = try contentOfArray(&reader, &inside)
        rowsDeeper += rows
        if kind == .rows, deeper.count < Self.mostDeeper { deeper.append(way + [key]) }
        if kind == .emptyArray, emptyDeeper.count < Self.mostDeeper {
          emptyDeeper.append(way + [key])
        }
      default: break
      }
    }
  }
}

extension JSONMembers {
  enum Verdict: Equatable {
    case row
    /// It wraps the rows of the table that the file is called after.
    case wrapper([[UInt8]])
    /// It wraps the rows of tables that are called like its members.
    case tables([[UInt8]])
    /// It says why there are no rows.
    case failure
    /// It has no rows where they are looked for.
    case nothing
    /// It may be a row, or wrap rows.
    case unclear([[UInt8]])
  }

  /// What the object is; alone in its file it is a row only if nothing else is likely.
  ///
  /// So is one in a file of lines whose members are all objects, of which another may hold a map.
  func verdict(isAlone: Bool, isLine: Bool = false) -> Verdict {
    if members.isEmpty { return isAlone ? .nothing : .row }
    if isRow { return .row }
    let lists = lists
    if lists.isEmpty, members.tellOfFailure { return .failure }
    let empty = members.filter { $0.kind == .emptyArray && !isAside($0) }
    let names = Set(lists.map(\.name))
    let others = members.filter {
      ![.rows, .emptyArray].contains($0.kind) || isAside($0) && !names.contains($0.name)
    }
    let isAnswer = isAllAbout(others, isAlone: isAlone)
    switch lists.count {
    case 0: return verdictWithoutLists(empty, others, isAlone: isAlone, isLine: isLine)
    case 1 where JSONWords.rows.contains(lists[0].word):
      if isAnswer && empty.isEmpty || isAlone { return .wrapper([lists[0].name]) }
      return .row
    default:
      if isAnswer { return .tables((lists + empty).map(\.name)) }
      return isAlone ? .unclear(lists.map { $0.name }) : .row
    }
  }

  /// The arrays of objects that may be rows.
  ///
  /// What is called as what tells of an answer is among them where it is nothing of that, and rows are
  /// nowhere else.
  private var lists: [JSONMember] {
    let lists = members.filter { $0.kind == .rows && !isAside($0) }
    if lists.contains(where: { JSONWords.rows.contains($0.word) }) { return lists }
    return members.filter { $0.kind == .rows && (!isAside($0) || !$0.mayTell) }
  }

  private func verdictWithoutLists(
    _ empty: [JSONMember], _ others: [JSONMember], isAlone: Bool, isLine: Bool
  ) -> Verdict {
    let isAnswer = isAllAbout(others, isAlone: isAlone)
    if let first = empty.first, isAnswer {
      let isWrapper = empty.count == 1 && JSONWords.rows.contains(first.word)
      return isWrapper ? .wrapper([first.name]) : .tables(empty.map(\.name))
    }
    // Services of the second version of OData have one object more around the rows.
    let inside = deeper.isEmpty ? emptyDeeper : deeper
    if members.count == 1, members[0].word == "d", inside.count == 1,
      inside[0].last?.elementsEqual("results".utf8) == true, inside[0].count == 2
    {
      return .wrapper(inside[0])
    }
    let envelopes = members.filter { $0.kind == .object && JSONWords.envelopes.contains($0.word) }
    let rest = others.filter { $0.kind != .object }
    if !deeper.isEmpty, !envelopes.isEmpty, isAlone || isAllAbout(rest, isAlone: isAlone) {
      return .nothing
    }
    guard isAlone else { return .row }
    let said = others.filter { !JSONWords.rows.contains($0.word) || $0.kind == .scalar }
    if isAllAbout(said, isAlone: isAlone) { return .nothing }
    // A map of rows, or what wraps something by a name that nobody knows.
    if members.allSatisfy({ $0.kind == .object }) { return isLine ? .row : .nothing }
    let lists = empty.filter { JSONWords.rows.contains($0.word) }
    return lists.isEmpty ? .row : .unclear(lists.map(\.name))
  }

  /// Whether an array is not of rows: it tells of the answer.
  private func isAside(_ member: JSONMember) -> Bool {
    member.isAnnotation || JSONWords.isOfAnswer(member.word)
      || ["warnings", "messages"].contains(member.word)
  }

  /// Whether members only tell of an answer, one of them surely; what is called as an annotation is
  /// told where the object is alone.
  private func isAllAbout(_ others: [JSONMember], isAlone: Bool) -> Bool {
    let told = others.filter {
      !(isAlone ? $0.isAnnotation : JSONWords.isKnownAnnotation($0.name, $0.word))
    }
    guard told.allSatisfy(\.mayTell) else { return false }
    let words = told.map(\.word).filter { !isCoded || !Self.isOfCode($0) }
    return words.allSatisfy(JSONWords.isOfAnswer)
      || words.allSatisfy(JSONWords.isAbout)
        && (isCoded || words.contains(where: JSONWords.isOfAnswer))
  }

  /// Whether it has the code of success and a message beside it, as all answers of some services.
  var isCoded: Bool {
    members.contains { JSONWords.codes.contains($0.word) && ($0.number == 0 || $0.number == 200) }
      && members.contains { JSONWords.messages.contains($0.word) }
  }

  private static func isOfCode(_ word: String) -> Bool {
    JSONWords.codes.contains(word) || JSONWords.messages.contains(word)
  }

  /// How many objects it lists, wherever they may be the rows.
  var rowCount: Int { members.reduce(rowsDeeper) { $0 + $1.rows } }

  /// Whether it has what only a row has.
  private var isRow: Bool {
    let isCall = members.contains { $0.word == "jsonrpc" }
    return members.contains { member in
      let name = String(decoding: member.name, as: UTF8.self).lowercased()
      return member.kind == .scalar && !isCall && JSONWords.keys.contains(name)
        || isContextOfEntity(member)
    }
  }

  /// What OData calls the one item that the object is; nil where it says nothing of that.
  var contextOfEntity: [UInt8]? { members.first(where: isContextOfEntity)?.text }

  private func isContextOfEntity(_ member: JSONMember) -> Bool {
    member.isAnnotation && ["context", "metadata"].contains(member.word) && isEntity(member.text)
  }

  /// Whether a context of OData is that of one item.
  private func isEntity(_ context: [UInt8]) -> Bool {
    let text = String(decoding: context, as: UTF8.self)
    return text.hasSuffix("/$entity") || text.hasSuffix("/@Element")
  }
}
