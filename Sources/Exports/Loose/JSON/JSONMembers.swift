import Bytes
import Formats

/// The members of an object in which rows may lie: what each holds, and where objects are listed.
struct JSONMembers {
  /// What a member holds, as far as its first element shows.
  enum Kind: Equatable {
    case empty
    case scalar
    case object
    case emptyArray
    /// An array of objects.
    case rows
    /// An array of arrays.
    case lists
    case otherArray

    /// Whether its rows may be those of a table.
    var mayBeTable: Bool { self == .rows || self == .emptyArray }
  }

  struct Member {
    let name: [UInt8]
    let word: String
    let kind: Kind
    /// Whether it is an annotation of OData.
    let isAnnotation: Bool
    /// What a short text or number says.
    var text: [UInt8] = []
    /// Whether it is a text in quotes.
    var isText = false
    /// How many objects it lists.
    var rows = 0
    /// What the first of them has of what rows have, and links.
    var first = FirstObject()

    /// What a number says.
    var number: Int64? { isText ? nil : parseDecimal(text.span) }

    /// Whether it says that nothing failed.
    var tellsOfSuccess: Bool {
      if JSONWords.successes.contains(word) { return kind == .scalar && !isText }
      let (isCode, isStatus) = (JSONWords.codes.contains(word), JSONWords.statuses.contains(word))
      if isText {
        return (isCode || isStatus || JSONWords.messages.contains(word))
          && JSONWords.tellsOfSuccess(text)
      }
      guard let number else { return false }
      return isCode && number == 0 || (isCode || isStatus) && 200..<300 ~= number
    }
  }

  /// What the first object of an array shows of what it is.
  struct FirstObject: Equatable {
    /// Whether it has an id, as rows have.
    private(set) var hasKey = false
    /// Whether it says what it is to the answer, as links do.
    private(set) var hasRelation = false
    private var hasColumns = false
    private var hasLists = false

    /// Whether it is a table whose rows are arrays of values.
    var isTableOfLists: Bool { hasColumns && hasLists && !hasKey }

    /// Takes a member of the object.
    mutating func take(_ name: [UInt8]) {
      hasKey = hasKey || JSONWords.keys.contains(String(decoding: name, as: UTF8.self).lowercased())
      hasRelation = hasRelation || JSONWords.relations.contains(JSONWords.word(name))
    }

    /// Takes a member that is an array, or an array of arrays.
    mutating func takeArray(_ name: [UInt8], ofArrays: Bool) {
      let word = JSONWords.word(name)
      hasColumns = hasColumns || word == "columns"
      hasLists = hasLists || ofArrays && ["rows", "values"].contains(word)
    }
  }

  private(set) var members: [Member] = []
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
      var first = FirstObject()
      let (kind, rows) = try content(of: token, named: name, &reader, &first)
      var member = Member(
        name: name, word: JSONWords.word(name), kind: kind,
        isAnnotation: JSONWords.isAnnotation(name))
      member.rows = rows
      member.first = first
      member.isText = token == .string
      if token == .string || token == .number, name.count < 64 { member.text = reader.text }
      // A row may have many members, an answer never has so many; but each array may be a table.
      guard members.count < Self.mostMembers || member.kind.mayBeTable else { continue }
      try JSONRowWalk.checkMemberCount(members.count, reader)
      members.append(member)
    }
  }

  private mutating func content(
    of token: JSONReader.Token, named name: [UInt8], _ reader: inout JSONReader,
    _ first: inout FirstObject
  ) throws(FormatError) -> (kind: Kind, rows: Int) {
    switch token {
    case .beginArray: return try contentOfArray(&reader, &first)
    case .beginObject:
      try lookInside(&reader, name)
      return (.object, 0)
    default: return (JSONAnswer.isTrue(token, reader.text) ? .scalar : .empty, 0)
    }
  }

  /// Reads an array that was just opened, to its end.
  private func contentOfArray(
    _ reader: inout JSONReader, _ first: inout FirstObject
  ) throws(FormatError) -> (kind: Kind, rows: Int) {
    let level = reader.depth
    guard let start = try reader.next(), start != .endArray else { return (.emptyArray, 0) }
    var rows = 1
    var name: [UInt8] = []
    var isOpened = false
    while reader.depth >= level, let token = try reader.next() {
      if rows == 1, token == .beginArray, isOpened || reader.depth == level + 2 {
        first.takeArray(name, ofArrays: isOpened)
      }
      isOpened = token == .beginArray && reader.depth == level + 2
      guard reader.depth == level + 1 else { continue }
      if token == .beginObject { rows += 1 }
      guard token == .key, rows == 1 else { continue }
      name = reader.text
      first.take(name)
    }
    if start == .beginObject { return (.rows, rows) }
    return (start == .beginArray ? .lists : .otherArray, 0)
  }

  /// Reads an object inside of a member to its end, for arrays of objects in it.
  private mutating func lookInside(
    _ reader: inout JSONReader, _ name: [UInt8]
  ) throws(FormatError) {
    var way = [name]
    var key: [UInt8] = []
    while !way.isEmpty, let token = try reader.next() {
      switch token {
      case .key: key = reader.text
      case .beginObject: way.append(key)
      case .endObject: way.removeLast()
      case .beginArray:
        var first = FirstObject()
        let (kind, rows) = try contentOfArray(&reader, &first)
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
    /// It lists rows as arrays of values, whose columns are told elsewhere or not at all.
    case lists
    /// It is an export of this tool, which another program has written in another order.
    case export
  }

  /// What the object is; alone in its file it is a row only if nothing else is likely.
  ///
  /// So is one in a file of lines whose members are all objects, of which another may hold a map.
  func verdict(isAlone: Bool, isLine: Bool = false) -> Verdict {
    if members.isEmpty { return isAlone ? .nothing : .row }
    if isRow { return .row }
    if isAlone, !isLine, let kind = foreignKind { return kind }
    let lists = members.filter { $0.kind == .rows && !isAside($0) }
    if lists.isEmpty, isFailure { return .failure }
    let empty = members.filter { $0.kind == .emptyArray && !isAside($0) }
    let others = members.filter { ![.rows, .emptyArray].contains($0.kind) || isAside($0) }
    let isAnswer = isAllAbout(others)
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

  private func verdictWithoutLists(
    _ empty: [Member], _ others: [Member], isAlone: Bool, isLine: Bool
  ) -> Verdict {
    let isAnswer = isAllAbout(others)
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
    if !deeper.isEmpty, !envelopes.isEmpty, isAlone || isAllAbout(rest) { return .nothing }
    guard isAlone else { return .row }
    if isAllAbout(others.filter { !JSONWords.rows.contains($0.word) || $0.kind == .scalar }) {
      return .nothing
    }
    // A map of rows, or what wraps something by a name that nobody knows.
    if members.allSatisfy({ $0.kind == .object }) { return isLine ? .row : .nothing }
    let lists = empty.filter { JSONWords.rows.contains($0.word) }
    return lists.isEmpty ? .row : .unclear(lists.map(\.name))
  }

  /// What a document is that holds no rows which are objects, as all of its members show; nil where it
  /// may be anything else.
  private var foreignKind: Verdict? {
    let names = Set(members.map { String(decoding: $0.name, as: UTF8.self) })
    if names.isSuperset(of: Self.exported), has(.object, "rehome") { return .export }
    let isFrame = has(.lists, "data") && names.contains("columns") && names.isSubset(of: Self.frame)
    let isRange = has(.lists, "values") && names.contains("range") && names.isSubset(of: Self.range)
    let isTable =
      has(.lists, "rows") && names.contains("columns")
      || has(.lists, "values") && names.contains("fields")
      || has(.lists, "data") && has(.rows, "meta")
      || members.count { $0.kind == .rows } == 1 && members.contains { $0.first.isTableOfLists }
    return isFrame || isRange || isTable ? .lists : nil
  }

  private func has(_ kind: Kind, _ name: String) -> Bool {
    members.contains { $0.kind == kind && $0.name.elementsEqual(name.utf8) }
  }

  /// Members of each export of this tool.
  private static let exported: Set = ["rehome", "nameOrigin", "sources", "tables"]
  /// All that pandas writes of a table as arrays (`orient="split"`, `orient="tight"`).
  private static let frame: Set = ["columns", "index", "data", "index_names", "column_names"]
  /// All that Google writes of a range of a sheet.
  private static let range: Set = ["range", "majorDimension", "values"]

  /// Whether an array is not of rows: it tells of the answer.
  ///
  /// Where no other member is called as those that hold rows, objects with ids are rows of a table that
  /// has such a name: an app has pages and messages, too.
  private func isAside(_ member: Member) -> Bool {
    guard !member.isAnnotation, JSONWords.isListOfAnswer(member.word) else {
      return member.isAnnotation
    }
    guard member.kind == .rows, member.first.hasKey, !member.first.hasRelation,
      !JSONWords.failures.contains(member.word)
    else { return true }
    return members.contains { other in
      JSONWords.rows.contains(other.word) && [.rows, .emptyArray, .lists].contains(other.kind)
    }
  }

  /// Whether members only tell of an answer, one of them surely.
  private func isAllAbout(_ others: [Member]) -> Bool {
    let told = others.filter { !$0.isAnnotation }
    guard told.allSatisfy({ !$0.isText || JSONWords.mayTell($0.text, in: $0.word) }) else {
      return false
    }
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
    guard !isBundleOfRecords else { return false }
    return members.contains { member in
      let name = String(decoding: member.name, as: UTF8.self).lowercased()
      return member.kind == .scalar && !isCall && JSONWords.keys.contains(name)
        || isContextOfEntity(member)
    }
  }

  /// Whether it is the answer to a search for health records (FHIR), which has an id of its own.
  private var isBundleOfRecords: Bool {
    members.contains { $0.word == "resourcetype" && $0.text.elementsEqual("Bundle".utf8) }
      && members.contains { $0.word == "entry" && $0.kind == .rows }
  }

  /// What OData calls the one item that the object is; nil where it says nothing of that.
  var contextOfEntity: [UInt8]? { members.first(where: isContextOfEntity)?.text }

  private func isContextOfEntity(_ member: Member) -> Bool {
    member.isAnnotation && ["context", "metadata"].contains(member.word) && isEntity(member.text)
  }

  /// Whether a context of OData is that of one item.
  private func isEntity(_ context: [UInt8]) -> Bool {
    let text = String(decoding: context, as: UTF8.self)
    return text.hasSuffix("/$entity") || text.hasSuffix("/@Element")
  }

  private var isFailure: Bool {
    let told = members.filter { ![.empty, .emptyArray].contains($0.kind) }
    if told.contains(where: { JSONWords.failures.contains($0.word) }) { return true }
    return !tellsOfSuccess && members.allSatisfy(isPartOfFailure)
      && (hasPlaceForRows && deniesSuccess || lacksRowsForFailure
        || told.contains { JSONWords.failureSigns.contains($0.word) || isFailingStatus($0) })
  }

  private func isPartOfFailure(_ member: Member) -> Bool {
    member.isAnnotation
      || JSONWords.failureParts.contains(member.word)
        && !deeper.contains { $0.first == member.name }
  }

  /// Whether it has a place for rows and says that nothing failed.
  private var tellsOfSuccess: Bool {
    hasPlaceForRows && members.contains(where: \.tellsOfSuccess) && !deniesSuccess
  }

  private var hasPlaceForRows: Bool { members.contains { JSONWords.rows.contains($0.word) } }

  /// Whether it says that there was no success, whatever else it says.
  private var deniesSuccess: Bool {
    members.contains { member in
      JSONWords.successes.contains(member.word)
        && (member.kind == .empty || JSONWords.deniesSuccess(member.text))
    }
  }

  /// Whether it has the word for a failure beside a place for rows, where no single value stands.
  private var lacksRowsForFailure: Bool {
    members.contains {
      JSONWords.statuses.contains($0.word) && JSONWords.tellsOfFailure($0.text)
    } && members.contains { JSONWords.rows.contains($0.word) && $0.kind != .scalar }
  }

  /// Whether it is a failure as a list of such has it: a message beside its code or the number of one,
  /// and nothing that an app's row would have.
  var isListedFailure: Bool {
    let known: Set = ["message", "errorcode", "statuscode", "fields"]
    return members.allSatisfy { known.contains($0.word) }
      && members.contains { $0.word == "message" && $0.isText }
      && members.contains { $0.word == "errorcode" && $0.isText || isFailingStatus($0) }
  }

  /// Whether a member has the number of a failure of HTTP.
  private func isFailingStatus(_ member: Member) -> Bool {
    JSONWords.statuses.contains(member.word)
      && parseDecimal(member.text.span).map { (400..<600).contains($0) } == true
  }
}
