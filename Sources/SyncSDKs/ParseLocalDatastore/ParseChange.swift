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

  fileprivate static let accessField = "ACL"

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

  /// The value that a field has afterwards; nil where it is absent.
  func applied(to old: JSONValue?) -> JSONValue? {
    var value = old
    apply(to: &value)
    return value
  }

  /// Gives a field the value that it has afterwards; nil where it is absent.
  ///
  /// What does not fit the value at hand, as adding to a text, changes nothing.
  func apply(to value: inout JSONValue?) {
    switch self {
    case .set(let new): value = new
    case .unset: value = nil
    case .increment(let amount): value = Self.sum(value, amount)
    case .add(let objects, let isUnique):
      Self.changeElements(of: &value) { items in
        if isUnique { Self.add(objects, to: &items) } else { items += objects }
      }
    case .remove(let objects):
      Self.changeElements(of: &value) { Self.remove(objects, from: &$0) }
    case .relate(let objects, let adds): value = Self.related(value, objects, adds: adds)
    case .several(let changes):
      for change in changes { change.apply(to: &value) }
    }
  }

  /// Changes the elements of a list, of which no copy is made where nobody else has it.
  private static func changeElements(
    of value: inout JSONValue?, _ change: (inout [JSONValue]) -> Void
  ) {
    var items: [JSONValue] = []
    switch value {
    case nil, .null?: break
    case .array(let known)?: items = known
    default: return
    }
    value = nil
    change(&items)
    value = .array(items)
  }

  private static func sum(_ old: JSONValue?, _ amount: JSONNumber) -> JSONValue? {
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

  private static func related(
    _ old: JSONValue?, _ objects: [JSONValue], adds: Bool
  ) -> JSONValue? {
    var relation = JSONObject()
    switch old {
    case nil, .null?: break
    case .object(let object)? where object["__type"] == .string("Relation"): relation = object
    default: return old
    }
    var known: [JSONValue] = []
    if case .array(let items)? = relation["objects"] { known = items }
    if adds { add(objects, to: &known) } else { remove(objects, from: &known) }
    var target = relation["className"]
    if target == nil || target == .null, case .object(let first)? = objects.first {
      target = first["className"]
    }
    var result = JSONObject()
    result["__type"] = .string("Relation")
    result["className"] = target ?? .null
    result["objects"] = .array(known)
    return .object(result)
  }

  /// Adds those of some values that are not among the items, each once.
  private static func add(_ objects: [JSONValue], to items: inout [JSONValue]) {
    var missing = Set(objects.map { ParseElement($0) })
    for item in items where !missing.isEmpty { missing.remove(ParseElement(item)) }
    for object in objects where missing.remove(ParseElement(object)) != nil { items.append(object) }
  }

  private static func remove(_ objects: [JSONValue], from items: inout [JSONValue]) {
    let gone = Set(objects.map { ParseElement($0) })
    items.removeAll { gone.contains(ParseElement($0)) }
  }
}

extension JSONObject {
  /// Whether all changes of a set are of kinds that the SDK knows.
  var isDecodableSet: Bool {
    members.allSatisfy { $0.key.hasPrefix("__") || ParseChange($0) != nil }
  }

  var hasChanges: Bool { members.contains { !$0.key.hasPrefix("__") } }
}

/// One set of changes that comes to what several do, one after the other; nil where one is no object.
func joinedChanges(_ sets: some Sequence<[UInt8]>) -> [UInt8]? {
  var joined = JSONObject()
  for bytes in sets {
    // What is no object is the caller's nil.
    guard let set = JSONObject(parsing: bytes.span) else { return nil }
    for member in set.members {
      joined.update(member.key) { value in
        if member.key == ParseChange.accessField {
          value = member.value
        } else if !ParseChange.extend(&value, by: member.value) {
          value = ParseChange.joined(value, member.value)
        }
      }
    }
  }
  return joined.json
}

extension ParseChange {
  /// What two changes of a field come to, as the SDKs join those of one set; the second where they
  /// do not go together.
  fileprivate static func joined(_ first: JSONValue?, _ second: JSONValue) -> JSONValue {
    guard let first, let before = ParseChange(first), let change = ParseChange(second) else {
      return second
    }
    switch (before, change) {
    case (_, .set), (_, .unset): return second
    case (.set(let value), _): return change.applied(to: value) ?? second
    case (.unset, _): return change.applied(to: nil) ?? second
    case (.increment(let amount), .increment):
      return replacing("amount", of: second, with: change.applied(to: .number(amount)))
    case (.add(let objects, let isUnique), .add(_, let isUniqueToo)) where isUnique == isUniqueToo:
      return replacing("objects", of: second, with: change.applied(to: .array(objects)))
    case (.remove(let objects), .remove(let others)):
      var added = others
      remove(objects, from: &added)
      return replacing("objects", of: second, with: .array(objects + added))
    case (.relate, .relate), (.relate, .several), (.several, .relate), (.several, .several):
      return batch(of: relations(in: first) + relations(in: second)) ?? second
    default: return second
    }
  }

  /// Adds what a change adds to a list to what one before it adds, without a copy of the latter; false
  /// where they are something else.
  fileprivate static func extend(_ first: inout JSONValue?, by second: JSONValue) -> Bool {
    guard case .object(var before)? = first, isAddition(before), case .object(let after) = second,
      isAddition(after), case .array(let objects)? = after["objects"]
    else { return false }
    first = nil
    before.update("objects") { list in changeElements(of: &list) { $0 += objects } }
    first = .object(before)
    return true
  }

  /// Whether an object says that a list is added to another one, and nothing else.
  private static func isAddition(_ object: JSONObject) -> Bool {
    guard object.members.count == 2, object["__op"] == .string("Add") else { return false }
    if case .array? = object["objects"] { return true }
    return false
  }

  /// The changes of a relation that a value is, or is a batch of.
  private static func relations(in value: JSONValue) -> [JSONValue] {
    guard case .object(let object) = value, case .array(let changes)? = object["ops"] else {
      return [value]
    }
    return changes
  }

  private static func batch(of changes: [JSONValue]) -> JSONValue? {
    JSONObject([
      JSONObject.Member(key: "__op", value: .string("Batch")),
      JSONObject.Member(key: "ops", value: .array(changes)),
    ]).map(JSONValue.object)
  }

  private static func replacing(
    _ key: String, of change: JSONValue, with value: JSONValue?
  ) -> JSONValue {
    guard case .object(var object) = change else { return change }
    object[key] = value
    return .object(object)
  }
}
