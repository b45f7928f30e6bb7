import Formats
import Records
import SQLite
import Tables

/// One object of the Local Datastore, with its fields as the app sees them.
struct ParseObject {
  let key: Int64
  /// What the object is called on this device.
  let uuid: String?
  /// What stands in its place, where that is no name.
  let strangeUUID: RawValue?
  let className: String
  /// Whether something else than a name stands in its place.
  let hasStrangeClass: Bool
  /// What it is called on the server; nil for one that was never saved.
  let objectID: String?
  /// Why the id is none, where a value stands there all the same.
  let strangeID: RawValue?
  /// The document; nil where there is none that can be read.
  let body: JSONObject?
  /// The document as stored; nil for an object to which something merely points.
  let text: RawValue?
  let isDeleting: Bool
  /// What stands in the place of the mark of that, where it is no number.
  let strangeMark: RawValue?
  /// The sets of changes, oldest first.
  let sets: [JSONValue]
  /// Whether something else than sets stands in their place.
  let hasStrangeSets: Bool
  /// The fields, the changes of all sets applied.
  private(set) var fields = JSONObject()
  /// The names of fields that a set has changed.
  private var changed: Set<[UInt8]> = []

  /// The columns from which `init` reads.
  static let columns = ["uuid", "className", "objectId", "json", "isDeletingEventually"]

  /// Reads a row: its key, then the columns.
  init(_ row: borrowing Statement) {
    key = row.integer(at: 0)
    uuid = row.strictText(at: 1)
    strangeUUID = uuid == nil ? row.optionalRaw(at: 1) : nil
    className = row.strictText(at: 2) ?? ""
    hasStrangeClass = row.storageClass(at: 2) != .null && row.strictText(at: 2) == nil
    objectID = row.strictText(at: 3)
    strangeID = objectID == nil ? row.optionalRaw(at: 3) : nil
    text = row.optionalRaw(at: 4)
    body = JSONObject(payload: text)
    let isFlagKnown = [.integer, .null].contains(row.storageClass(at: 5))
    let flag = isFlagKnown && row.integer(at: 5) > 0
    strangeMark = isFlagKnown ? nil : row.optionalRaw(at: 5)
    let body = body
    isDeleting =
      flag
      || ["__isDeletingEventually", "isDeletingEventually"].contains { Self.isAboveZero(body?[$0]) }
    switch body?["__operations"] {
    case .array(let sets)?: (self.sets, hasStrangeSets) = (sets, false)
    case nil, .null?: (sets, hasStrangeSets) = ([], false)
    default: (sets, hasStrangeSets) = ([], true)
    }
    var fields = ChangingFields(
      JSONObject(
        (body?.members ?? []).filter { member in
          member.key != "__type" && !ParseLocalDatastore.isReserved(member.key)
        }) ?? JSONObject())
    for case .object(let changes) in sets { apply(changes, to: &fields) }
    self.fields = fields.finished()
  }

  /// Whether it has a document that nobody can read, so that its changes are not known.
  var isUnreadable: Bool { body == nil && text != nil }

  /// What the item is called: by the server's name where it has one.
  var itemID: String? { objectID ?? uuid }

  func has(_ key: String) -> Bool { body?[key] != nil }

  func isChanged(_ name: String) -> Bool { changed.contains(Array(name.utf8)) }

  /// The bytes of the document, where it can be read.
  var bytes: [UInt8] {
    switch text {
    case .text(let bytes)?, .binary(let bytes)?: body == nil ? [] : bytes
    case .integer, .real, nil: []
    }
  }

  /// Where the values of the document lie in its text, in the order of its members.
  var valueRanges: [Range<Int>] { JSONRanges.values(in: bytes, from: 0) }

  /// Where the texts of the sets lie in the document, in their order.
  var rangesOfSets: [Range<Int>] {
    rangeOfAllSets.map { JSONRanges.values(in: bytes, from: $0.lowerBound) } ?? []
  }

  /// The text of what stands in the place of the sets.
  var textOfSets: [UInt8]? { rangeOfAllSets.map { Array(bytes[$0]) } }

  private var rangeOfAllSets: Range<Int>? {
    guard let member = body?.members.firstIndex(where: { $0.key == "__operations" }),
      case let ranges = valueRanges, member < ranges.count
    else { return nil }
    return ranges[member]
  }

  private mutating func apply(_ changes: JSONObject, to fields: inout ChangingFields) {
    for member in changes.members where !ParseLocalDatastore.isReserved(member.key) {
      changed.insert(Array(member.key.utf8))
      guard let change = ParseChange(member) else { continue }
      fields.apply(change, to: member.key)
    }
  }

  private static func isAboveZero(_ value: JSONValue?) -> Bool {
    switch value {
    case .number(let number)?: (number.real ?? 0) > 0
    case .boolean(let truth)?: truth
    default: false
    }
  }
}

/// Finds the values of a container in JSON text that is known to be sound.
enum JSONRanges {
  /// The texts of the values of the object or array that begins at or behind a place, in order.
  static func values(in text: [UInt8], from start: Int) -> [Range<Int>] {
    var place = start
    skipBlanks(text, &place)
    guard place < text.count else { return [] }
    let isObject = text[place] == UInt8(ascii: "{")
    var ranges: [Range<Int>] = []
    place += 1
    while true {
      skipBlanks(text, &place)
      guard place < text.count, text[place] != UInt8(ascii: "}"), text[place] != UInt8(ascii: "]")
      else { return ranges }
      if isObject {
        skipString(text, &place)
        skipBlanks(text, &place)
      }
      let first = place
      skipValue(text, &place)
      ranges.append(first..<place)
    }
  }

  /// Moves past white space and what stands between values.
  private static func skipBlanks(_ text: [UInt8], _ place: inout Int) {
    let blanks: [UInt8] = [0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: ","), UInt8(ascii: ":")]
    while place < text.count, blanks.contains(text[place]) { place += 1 }
  }

  private static func skipString(_ text: [UInt8], _ place: inout Int) {
    place += 1
    while place < text.count, text[place] != UInt8(ascii: "\"") {
      place += text[place] == UInt8(ascii: "\\") ? 2 : 1
    }
    place = min(place + 1, text.count)
  }

  private static func skipValue(_ text: [UInt8], _ place: inout Int) {
    var depth = 0
    while place < text.count {
      switch text[place] {
      case UInt8(ascii: "\""):
        skipString(text, &place)
        if depth == 0 { return }
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if depth == 0 { return }
        depth -= 1
        if depth == 0 {
          place += 1
          return
        }
      case UInt8(ascii: ","), 0x20, 0x09, 0x0A, 0x0D:
        if depth == 0 { return }
      default: break
      }
      place += 1
    }
  }
}
