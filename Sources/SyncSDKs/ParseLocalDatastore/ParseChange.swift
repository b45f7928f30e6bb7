import Formats

/// What a set does to one field.
indirect enum ParseChange {
  case set(JSONValue)
  case unset
  case increment(JSONNumber)
  case add([JSONValue], unique: Bool)
  case remove([JSONValue])
  case relate([JSONValue], adds: Bool)
  case several([ParseChange])

  /// Reads what a set says of a field, of which that for access is always a value.
  init?(_ member: JSONObject.Member) {
    if member.key == Self.accessField {
      self = .set(member.value)
    } else {
      self.init(member.value)
    }
  }

  static let accessField = "ACL"

  /// Reads a change; nil where the SDK knows none of that kind.
  init?(_ value: JSONValue) {
    guard case .object(let object) = value, let word = object["__op"] else {
      self = .set(value)
      return
    }
    var objects: [JSONValue] = []
    if case .array(let given)? = object["objects"] { objects = given }
    switch word {
    case .string("Delete"): self = .unset
    case .string("Increment"):
      guard case .number(let amount)? = object["amount"] else {
        self = .several([])
        return
      }
      self = .increment(amount)
    case .string("Add"): self = .add(objects, unique: false)
    case .string("AddUnique"): self = .add(objects, unique: true)
    case .string("Remove"): self = .remove(objects)
    case .string("AddRelation"): self = .relate(objects, adds: true)
    case .string("RemoveRelation"): self = .relate(objects, adds: false)
    case .string("Batch"):
      guard let changes = Self.relations(object["ops"]) else { return nil }
      self = .several(changes)
    default: return nil
    }
  }

  private static func relations(_ value: JSONValue?) -> [ParseChange]? {
    guard case .array(let values)? = value else { return nil }
    var changes: [ParseChange] = []
    for value in values {
      guard case .object(let object) = value, object["__op"] != nil,
        let change = ParseChange(value), case .relate = change
      else { return nil }
      changes.append(change)
    }
    return changes
  }

  /// Gives a field the value that it has afterwards; nil where it is absent.
  ///
  /// What does not fit the value at hand, as adding to a text, changes nothing.
  func apply(to value: inout JSONValue?) {
    // No copy of a list is made where nobody else has it.
    var changing = ChangingValue(value)
    value = nil
    changing.apply(self)
    value = changing.value
  }

  /// Whether it works on the elements of a list or a relation.
  var changesElements: Bool {
    switch self {
    case .add, .remove, .relate, .several: true
    case .set, .unset, .increment: false
    }
  }

  /// Whether it leaves a list as it is, whose index then need not be made anew.
  var keepsLists: Bool { if case .increment = self { true } else { false } }

  /// A number that is larger by an amount; what is no number stays.
  static func sum(_ old: JSONValue?, _ amount: JSONNumber) -> JSONValue? {
    let first: JSONNumber
    switch old {
    case nil, .null?: first = JSONNumber(0)
    case .number(let number)?: first = number
    default: return old
    }
    if let left = first.integer, let right = amount.integer {
      let (sum, isTooLarge) = left.addingReportingOverflow(right)
      if !isTooLarge { return .number(JSONNumber(sum)) }
    }
    guard let left = first.real, let right = amount.real,
      let sum = JSONNumber(left + right)
    else { return old ?? .number(first) }
    return .number(sum)
  }
}

extension JSONObject {
  /// Whether all changes of a set are of kinds that the SDK knows.
  var isDecodableSet: Bool {
    members.allSatisfy { $0.key.hasPrefix("__") || ParseChange($0) != nil }
  }

  var hasChanges: Bool { members.contains { !$0.key.hasPrefix("__") } }
}
