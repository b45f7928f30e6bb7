import Bytes

/// A member of an object in which rows may lie: what it is called, and what it holds.
struct JSONMember {
  /// What a member holds, as far as its first element shows.
  enum Kind: Equatable {
    case empty
    case scalar
    case object
    case emptyArray
    /// An array of objects.
    case rows
    case otherArray

    /// Whether its rows may be those of a table.
    var mayBeTable: Bool { self == .rows || self == .emptyArray }
  }

  let name: [UInt8]
  let word: String
  let kind: Kind
  /// What a short text or number says.
  var text: [UInt8] = []
  /// Whether it is a text in quotes.
  var isText = false
  /// How many objects it lists.
  var rows = 0
  /// Whether objects are listed deeper in it.
  var hasRowsInside = false
  /// Whether its value is one that an answer has in such a member.
  var mayTell = true

  /// Whether it is an annotation of OData, or called like one.
  var isAnnotation: Bool { JSONWords.isAnnotation(name) }

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

  /// Whether it has the number of a failure of HTTP.
  fileprivate var hasFailingStatus: Bool {
    JSONWords.statuses.contains(word)
      && parseDecimal(text.span).map { (400..<600).contains($0) } == true
  }

  /// Whether it is one of those that an answer has which tells of a failure.
  fileprivate var isPartOfFailure: Bool {
    isAnnotation || JSONWords.failureParts.contains(word) && !hasRowsInside
  }
}

extension [JSONMember] {
  /// Whether an object with these members, which has no rows, says why there are none.
  var tellOfFailure: Bool {
    let told = filter { ![.empty, .emptyArray].contains($0.kind) }
    if told.contains(where: { JSONWords.failures.contains($0.word) }) { return true }
    return !tellOfSuccess && allSatisfy(\.isPartOfFailure)
      && (havePlaceForRows && denySuccess
        || told.contains { JSONWords.failureSigns.contains($0.word) || $0.hasFailingStatus })
  }

  /// Whether they have a place for rows and say that nothing failed.
  private var tellOfSuccess: Bool {
    havePlaceForRows && contains(where: \.tellsOfSuccess) && !denySuccess
  }

  private var havePlaceForRows: Bool { contains { JSONWords.rows.contains($0.word) } }

  /// Whether they say that there was no success, whatever else they say.
  private var denySuccess: Bool {
    contains { member in
      JSONWords.successes.contains(member.word)
        && (member.kind == .empty || JSONWords.deniesSuccess(member.text))
    }
  }
}
