import Bytes
import Formats

/// What a set of changes makes of an object, and whether an object shows it.
struct ParseChanges {
  /// Whether an object shows what a set makes of it.
  enum Sight {
    case all
    case notAll
    case unknown
  }

  /// A change that adds to what is there, so that it must not be carried out twice.
  private struct Addition {
    let field: String
    let amount: JSONNumber?
    let objects: [JSONValue]
  }

  private let members: [JSONObject.Member]

  init(_ sent: SentItem?) { members = sent?.object.members ?? [] }

  private static func word(_ value: JSONValue) -> (word: String, change: JSONObject)? {
    guard case .object(let change) = value, case .string(let word)? = change["__op"] else {
      return nil
    }
    return (word, change)
  }

  private var additions: [Addition] {
    members.compactMap { member in
      guard let (word, change) = Self.word(member.value) else { return nil }
      switch word {
      case "Increment":
        guard case .number(let amount)? = change["amount"] else { return nil }
        return Addition(field: member.key, amount: amount, objects: [])
      case "Add":
        return Addition(field: member.key, amount: nil, objects: change.objects)
      default: return nil
      }
    }
  }

  /// Whether some field is given a value of its own, whatever the server has there.
  var overwrites: Bool {
    members.contains { member in Self.word(member.value).map { $0.word == "Delete" } ?? true }
  }

  /// Whether carrying it out twice makes another object than once.
  var adds: Bool { !additions.isEmpty }

  /// A mark of what the changes that add make of an object; nil where none does.
  func mark(after object: JSONObject) -> String? {
    guard adds else { return nil }
    var mark = ValueMark()
    for addition in additions { mark.add(Self.sum(object[addition.field], addition)) }
    return mark.digits
  }

  /// The same mark of an object as it is.
  private func mark(of object: JSONObject) -> String {
    var mark = ValueMark()
    for addition in additions { mark.add(object[addition.field] ?? .null) }
    return mark.digits
  }

  /// Whether an object shows the changes; `mark` is what those that add were to make of it.
  func sight(in object: JSONObject, mark: String?) -> Sight {
    for member in members where isLacking(member, in: object) { return .notAll }
    if adds {
      guard let mark else { return .unknown }
      return self.mark(of: object) == mark ? .all : .unknown
    }
    // What is in a relation cannot be seen.
    let isHidden = members.allSatisfy { member in
      Self.word(member.value).map { $0.word.hasSuffix("Relation") || $0.word == "Batch" } ?? false
    }
    return isHidden ? .unknown : .all
  }

  /// Whether an object is what the changes make of a new one.
  func isMade(_ object: JSONObject) -> Bool {
    members.allSatisfy { !isLacking($0, in: object) }
      && additions.allSatisfy { addition in
        let sum = Self.sum(nil, addition)
        return means(sum, object[addition.field] ?? .null)
      }
  }

  private func isLacking(_ member: JSONObject.Member, in object: JSONObject) -> Bool {
    let there = object[member.key] ?? .null
    guard let (word, change) = Self.word(member.value) else {
      return !Self.isSame(member.value, there)
    }
    switch word {
    case "Delete": return there != .null
    case "AddUnique":
      guard case .array(let items) = there else { return true }
      return !change.objects.allSatisfy { object in items.contains { means(object, $0) } }
    case "Remove":
      guard case .array(let items) = there else { return false }
      return change.objects.contains { object in items.contains { means(object, $0) } }
    default: return false
    }
  }

  /// Whether a value is what was sent; of a file and a relation only the name counts.
  private static func isSame(_ sent: JSONValue, _ there: JSONValue) -> Bool {
    if case .object(let left) = sent, case .object(let right) = there,
      left["__type"] == right["__type"]
    {
      if left["__type"] == .string("File") { return left["name"] == right["name"] }
      if left["__type"] == .string("Relation") { return true }
    }
    return means(sent, there)
  }

  private static func sum(_ old: JSONValue?, _ addition: Addition) -> JSONValue {
    guard let amount = addition.amount else {
      if case .array(let items)? = old { return .array(items + addition.objects) }
      return .array(addition.objects)
    }
    guard case .number(let number)? = old else { return .number(amount) }
    if let left = number.integer, let right = amount.integer {
      let (sum, isTooLarge) = left.addingReportingOverflow(right)
      if !isTooLarge { return .number(JSONNumber(sum)) }
    }
    guard let left = number.real, let right = amount.real, let sum = JSONNumber(left + right)
    else { return .number(number) }
    return .number(sum)
  }

  /// The fields by whose values a new object can be asked for, as a condition of a question.
  var condition: JSONObject {
    var condition = JSONObject()
    for member in members where condition.members.count < Self.mostConditions {
      switch member.value {
      case .boolean, .number: condition[member.key] = member.value
      case .string(let text) where text.utf8.count <= 200: condition[member.key] = member.value
      case .object(let object):
        let type = object["__type"]
        if type == .string("Date") || type == .string("Pointer") {
          condition[member.key] = member.value
        }
      default: continue
      }
    }
    return condition
  }

  /// More fields say little more, and addresses are not long.
  private static let mostConditions = 8

  /// What an answer shows otherwise than it was sent.
  func differences(in answer: JSONObject) -> [ServerChange] {
    members.compactMap { member in
      guard Self.word(member.value) == nil, let kept = answer[member.key],
        !Self.isSame(member.value, kept)
      else { return nil }
      return ServerChange(field: member.key, sent: member.value, kept: kept)
    }
  }
}

extension JSONObject {
  /// The values that a change of a list is about.
  fileprivate var objects: [JSONValue] {
    if case .array(let objects)? = self["objects"] { objects } else { [] }
  }
}
