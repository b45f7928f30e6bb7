import Bytes
import Formats

/// One set of changes that comes to what several do, one after the other; nil where one is no object.
func joinedChanges(_ sets: some Sequence<[UInt8]>) -> [UInt8]? {
  var keys: [String] = []
  var places: [ExactText: Int] = [:]
  var changes: [JoinedChange] = []
  for bytes in sets {
    // What is no object is the caller's nil.
    guard let set = JSONObject(parsing: bytes.span) else { return nil }
    for member in set.members {
      guard let place = places[ExactText(member.key)] else {
        places[ExactText(member.key)] = keys.count
        keys.append(member.key)
        changes.append(JoinedChange(member.value))
        continue
      }
      if member.key == ParseChange.accessField {
        changes[place] = JoinedChange(member.value)
      } else {
        changes[place].add(member.value)
      }
    }
  }
  return JSONObject(
    zip(keys, changes).map { JSONObject.Member(key: $0, value: $1.value) })?.json
}

/// What the changes of a field come to, as the SDKs join those of one set.
private struct JoinedChange {
  private enum Shape: Equatable {
    /// One change, as it is spelled.
    case spelled
    /// What changes make of a value that was set.
    case applied
    case increased
    case added(isUnique: Bool)
    case removed
    /// Changes of a relation.
    case related
  }

  private var shape = Shape.spelled
  /// The last change.
  private var last: JSONValue
  /// What was set, or is added or removed.
  private var sum = ChangingValue(nil)
  private var relations: [JSONValue] = []

  init(_ first: JSONValue) { last = first }

  var value: JSONValue {
    switch shape {
    case .spelled: last
    case .applied: sum.value ?? last
    case .increased: replacing("amount", with: sum.value)
    case .added, .removed: replacing("objects", with: sum.value)
    case .related: batch ?? last
    }
  }

  /// Joins a further change, which takes the place of those with which it does not go together.
  mutating func add(_ second: JSONValue) {
    guard let change = ParseChange(second) else {
      self = JoinedChange(second)
      return
    }
    if shape == .spelled { begin() }
    last = second
    switch (shape, change) {
    case (.spelled, _), (_, .set), (_, .unset): shape = .spelled
    case (.applied, _), (.increased, .increment), (.added(true), .add(_, unique: true)),
      (.added(false), .add(_, unique: false)):
      sum.apply(change)
      if !sum.isThere { shape = .spelled }
    case (.removed, .remove(let objects)): sum.apply(.add(objects, unique: true))
    case (.related, .relate), (.related, .several): relations += Self.relations(in: second)
    default: shape = .spelled
    }
  }

  /// Takes the one change so that others can be joined to it; one that no SDK knows stays as it is.
  private mutating func begin() {
    switch ParseChange(last) {
    case nil: return
    case .set(let value)?: (shape, sum) = (.applied, ChangingValue(value))
    case .unset?: (shape, sum) = (.applied, ChangingValue(nil))
    case .increment(let amount)?: (shape, sum) = (.increased, ChangingValue(.number(amount)))
    case .add(let objects, let isUnique)?:
      (shape, sum) = (.added(isUnique: isUnique), ChangingValue(.array(objects)))
    case .remove(let objects)?: (shape, sum) = (.removed, ChangingValue(.array(objects)))
    case .relate?, .several?: (shape, relations) = (.related, Self.relations(in: last))
    }
  }

  /// The changes of a relation that a value is, or is a batch of.
  private static func relations(in value: JSONValue) -> [JSONValue] {
    guard case .object(let object) = value, case .array(let changes)? = object["ops"] else {
      return [value]
    }
    return changes
  }

  private var batch: JSONValue? {
    JSONObject([
      JSONObject.Member(key: "__op", value: .string("Batch")),
      JSONObject.Member(key: "ops", value: .array(relations)),
    ]).map(JSONValue.object)
  }

  private func replacing(_ key: String, with value: JSONValue?) -> JSONValue {
    guard case .object(var change) = last else { return last }
    change[key] = value
    return .object(change)
  }
}
