import Bytes
import Formats

/// The value of a field on which changes work, one after the other.
struct ChangingValue {
  private enum Form {
    case plain(JSONValue?)
    case list(ParseElements)
    case relation(className: JSONValue?, ParseElements)
  }

  private var form: Form

  init(_ value: JSONValue?) { form = .plain(value) }

  /// The value as it is now; nil where the field is absent.
  var value: JSONValue? {
    switch form {
    case .plain(let value): return value
    case .list(let elements): return .array(elements.values)
    case .relation(let className, let elements):
      var relation = JSONObject()
      relation["__type"] = .string("Relation")
      relation["className"] = className ?? .null
      relation["objects"] = .array(elements.values)
      return .object(relation)
    }
  }

  /// Whether the field is there.
  var isThere: Bool { if case .plain(nil) = form { false } else { true } }

  /// Makes one change; what does not fit the value at hand changes nothing.
  mutating func apply(_ change: ParseChange) {
    switch change {
    case .set(let new): form = .plain(new)
    case .unset: form = .plain(nil)
    case .increment(let amount):
      if case .plain(let value) = form { form = .plain(ParseChange.sum(value, amount)) }
    case .add(let objects, let isUnique):
      changeList { isUnique ? $0.appendMissing(objects) : $0.append(objects) }
    case .remove(let objects): changeList { $0.remove(objects) }
    case .relate(let objects, let adds): changeRelation(by: objects, adds: adds)
    case .several(let changes): for change in changes { apply(change) }
    }
  }

  private mutating func changeList(_ change: (inout ParseElements) -> Void) {
    var elements: ParseElements
    switch form {
    case .plain(nil), .plain(.null?): elements = ParseElements([])
    case .plain(.array(let items)?): elements = ParseElements(items)
    case .list(let known): elements = known
    case .plain, .relation: return
    }
    // Nobody else has the list while it changes, so that none is copied.
    form = .plain(nil)
    change(&elements)
    form = .list(elements)
  }

  private mutating func changeRelation(by objects: [JSONValue], adds: Bool) {
    var className: JSONValue?
    var elements = ParseElements([])
    switch form {
    case .plain(nil), .plain(.null?): break
    case .plain(.object(let object)?) where object["__type"] == .string("Relation"):
      className = object["className"]
      if case .array(let known)? = object["objects"] { elements = ParseElements(known) }
    case .relation(let known, let objects): (className, elements) = (known, objects)
    case .plain, .list: return
    }
    form = .plain(nil)
    if adds { elements.appendMissing(objects) } else { elements.remove(objects) }
    if className == nil || className == .null, case .object(let first)? = objects.first {
      className = first["className"]
    }
    form = .relation(className: className, elements)
  }
}

/// The fields of an object on which sets of changes work, one after the other.
struct ChangingFields {
  private var fields: JSONObject
  /// Those whose elements change; in `fields` something stands in their places.
  private var lists: [ExactText: ChangingValue] = [:]

  init(_ fields: JSONObject) { self.fields = fields }

  mutating func apply(_ change: ParseChange, to key: String) {
    let name = ExactText(key)
    guard change.changesElements || change.keepsLists && lists[name] != nil else {
      if let list = lists.removeValue(forKey: name) { fields[key] = list.value }
      return fields.update(key) { change.apply(to: &$0) }
    }
    if lists[name] == nil {
      lists[name] = ChangingValue(fields[key])
      fields[key] = .null
    }
    lists[name]?.apply(change)
  }

  /// The fields as they are after all changes.
  consuming func finished() -> JSONObject {
    for (name, list) in lists { fields[name.wrappedValue] = list.value }
    return fields
  }
}
