import Formats
import Records

@testable import Replay

/// A table service in memory, strict about its dialect, after the protocol's description.
struct ModelServer {
  struct Item: Equatable {
    var fields: JSONObject
    var version: Int
    var isDeleted = false
  }

  let dialect: Dialect
  /// Whether deletion only marks an item.
  let isSoft: Bool
  /// Whether items have versions at all.
  var hasVersions = true
  private(set) var items: [String: Item] = [:]
  /// How often a new item was created, by id.
  private(set) var creations: [String: Int] = [:]
  /// How often an item was changed or deleted, by id.
  private(set) var changes: [String: Int] = [:]
  private var lastVersion = 0

  init(_ dialect: Dialect, isSoft: Bool) {
    self.dialect = dialect
    self.isSoft = isSoft
  }

  /// Puts an item there as another client would; it is counted nowhere.
  mutating func put(_ id: String, _ fields: JSONObject, isDeleted: Bool = false) -> String {
    lastVersion += 1
    items[id] = Item(fields: fields, version: lastVersion, isDeleted: isDeleted)
    return Self.text(lastVersion)
  }

  mutating func take(_ id: String) { items[id] = nil }

  static func text(_ version: Int) -> String { "V\(version)+/=" }

  mutating func answer(_ request: ReplayRequest) -> ReplayAnswer {
    let expected: String? = dialect == .v1 ? nil : dialect == .v2 ? "2.0.0" : "3.0.0"
    guard request.headers.first(where: { $0.name == "ZUMO-API-VERSION" })?.value == expected else {
      return refusal(400, "version header")
    }
    let parts = request.path.split(separator: "/").map(String.init)
    guard parts.first == "tables", parts.count == 2 || parts.count == 3,
      parts[1] == (dialect.lowersTables ? "todoitem" : "TodoItem")
    else { return refusal(404, "no such table") }
    var body: JSONObject?
    if let bytes = request.body {
      guard case .object(let object)? = try? JSONValue(parsing: bytes.span) else {
        return refusal(400, "no object")
      }
      body = object
    }
    if let name = body.flatMap(forbiddenMember) { return refusal(400, "member \(name)") }
    if parts.count == 2, request.method == "GET" {
      return ReplayAnswer(status: 200, body: Array("[]".utf8))
    }
    guard parts.count == 3 else {
      return request.method == "POST" ? insert(body) : refusal(405, "method")
    }
    return answer(request, id: parts[2], body)
  }

  private mutating func answer(
    _ request: ReplayRequest, id: String, _ body: JSONObject?
  ) -> ReplayAnswer {
    let includesDeleted = request.query.contains {
      $0.name.lowercased() == "__includedeleted" && $0.value == "true"
    }
    switch (request.method, dialect) {
    case ("GET", _):
      guard let item = items[id] else { return refusal(404, "missing") }
      if item.isDeleted, !includesDeleted { return gone }
      return shown(id, 200)
    case ("DELETE", _):
      guard let item = items[id] else { return refusal(404, "missing") }
      if item.isDeleted { return gone }
      if let answer = broken(request, id) { return answer }
      changes[id, default: 0] += 1
      if isSoft {
        lastVersion += 1
        items[id] = Item(fields: item.fields, version: lastVersion, isDeleted: true)
      } else {
        items[id] = nil
      }
      return ReplayAnswer(status: 204)
    case ("POST", .v1), ("POST", .v2):
      guard body == nil else { return refusal(400, "a body") }
      return revive(request, id)
    case ("PATCH", .v3) where body?.members.map(\.key) == ["deleted"]:
      return revive(request, id)
    case ("PATCH", .v1), ("PATCH", .v2), ("PATCH", .v3), ("PUT", .v3), ("PUT", .toolkit):
      return update(request, id, body, includesDeleted: includesDeleted)
    default: return refusal(405, "method")
    }
  }

  private mutating func insert(_ body: JSONObject?) -> ReplayAnswer {
    guard let body, case .string(let id)? = body["id"] else { return refusal(400, "no id") }
    if items[id] != nil {
      switch dialect {
      case .v1, .parse, .rows: return refusal(409, "exists")
      // The second generation shows what it was sent, as if it were its own.
      case .v2: return ReplayAnswer(status: 409, body: Self.json(body))
      case .v3, .toolkit: return shown(id, 409)
      }
    }
    creations[id, default: 0] += 1
    lastVersion += 1
    items[id] = Item(fields: kept(body), version: lastVersion)
    return shown(id, 201)
  }

  private mutating func update(
    _ request: ReplayRequest, _ id: String, _ body: JSONObject?, includesDeleted: Bool
  ) -> ReplayAnswer {
    guard let item = items[id] else { return refusal(404, "missing") }
    guard let body, body["id"] == .string(id) else { return refusal(400, "id") }
    if item.isDeleted, !(dialect == .toolkit && includesDeleted) { return gone }
    if let answer = broken(request, id) { return answer }
    changes[id, default: 0] += 1
    lastVersion += 1
    items[id] = Item(fields: kept(body), version: lastVersion)
    return shown(id, 200)
  }

  private mutating func revive(_ request: ReplayRequest, _ id: String) -> ReplayAnswer {
    guard let item = items[id] else { return refusal(404, "missing") }
    if let answer = broken(request, id) { return answer }
    lastVersion += 1
    items[id] = Item(fields: item.fields, version: lastVersion)
    return shown(id, 200)
  }

  /// The answer to a condition that does not hold.
  private func broken(_ request: ReplayRequest, _ id: String) -> ReplayAnswer? {
    guard hasVersions, let condition = request.condition, let item = items[id] else { return nil }
    return condition == "\"" + Self.text(item.version) + "\"" ? nil : shown(id, 412)
  }

  private func forbiddenMember(_ body: JSONObject) -> String? {
    let names =
      switch dialect {
      case .v1, .parse, .rows: body.members.map(\.key).filter { $0.hasPrefix("__") }
      case .v2:
        body.members.map(\.key).filter {
          ["version", "createdAt", "updatedAt", "deleted"].contains($0)
        }
      case .v3, .toolkit: [String]()
      }
    return names.first
  }

  private func kept(_ body: JSONObject) -> JSONObject {
    var kept = body
    for name in ["id", "version", "updatedAt", "deleted"] { kept[name] = nil }
    return kept
  }

  private var gone: ReplayAnswer { refusal(dialect.lowersTables ? 410 : 404, "deleted") }

  private func refusal(_ status: Int, _ words: String) -> ReplayAnswer {
    var object = JSONObject()
    object["error"] = .string(words)
    return ReplayAnswer(status: status, body: Self.json(object))
  }

  private func shown(_ id: String, _ status: Int) -> ReplayAnswer {
    guard let item = items[id] else { return refusal(404, "missing") }
    var object = JSONObject()
    object["id"] = .string(id)
    for member in item.fields.members { object[member.key] = member.value }
    object["ofServer"] = .boolean(true)
    let mark = dialect == .v1 ? "__" : ""
    object[mark + "deleted"] = .boolean(item.isDeleted)
    if hasVersions { object[mark + "version"] = .string(Self.text(item.version)) }
    return ReplayAnswer(
      status: status, etag: hasVersions ? "\"" + Self.text(item.version) + "\"" : nil,
      body: Self.json(object))
  }

  static func json(_ object: JSONObject) -> [UInt8] {
    var bytes: [UInt8] = []
    JSONValue.object(object).append(to: &bytes)
    return bytes
  }
}

extension Dialect {
  /// What the model can be: the services with tables over the network.
  static let ofTableServices: [Dialect] = [.v1, .v2, .v3, .toolkit]
}
