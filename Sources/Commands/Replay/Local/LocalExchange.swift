import Bytes
import Canonical
import Formats
import Records

/// One request to a canonical store and its answer.
struct LocalExchange {
  let items: StoredItems
  let shape: LocalItems
  let isVersion3: Bool
  let removesDeleted: Bool
  let tellsCaseTwinsApart: Bool
  let request: LocalService.Request
  let now: Timestamp

  private var table: Table { shape.table }

  func answer() throws(StoreError) -> LocalService.Answer {
    switch (request.method, request.id) {
    case ("POST", nil): return try insert()
    case ("GET", let id?): return read(try find(id))
    case ("POST", let id?): return try undelete(try find(id))
    case ("PATCH", let id?): return try update(try find(id), isWhole: false)
    case ("PUT", let id?): return try update(try find(id), isWhole: true)
    case ("DELETE", let id?): return try delete(try find(id))
    default: return LocalService.refusal(405, "the method \(request.method) is not offered")
    }
  }

  private func read(_ item: StoredItems.Item?) -> LocalService.Answer {
    guard let item else { return Self.missing }
    if isDeleted(item), !request.includesDeleted { return gone }
    return shown(item.values, status: 200)
  }

  private func insert() throws(StoreError) -> LocalService.Answer {
    guard let object = body else { return Self.noObject }
    do {
      let fields = try shape.fields(object)
      guard let id = id(in: fields) else {
        return LocalService.refusal(400, "the item has no id")
      }
      if let known = try find(id) {
        return isVersion3 ? shown(known.values, status: 409) : Self.exists
      }
      var values = [RawValue?](repeating: nil, count: table.columns.count)
      let defaults = shape.defaults(of: request.leftOut, for: object)
      for (place, value) in defaults { values[place] = value }
      for (place, value) in fields { values[place] = value }
      stamp(&values, isNew: true, besides: fields)
      try items.insert(values, into: table)
      return shown(values, status: 201)
    } catch let error as StoreError {
      throw error
    } catch {
      return Self.refusal(error)
    }
  }

  private func update(
    _ item: StoredItems.Item?, isWhole: Bool
  ) throws(StoreError) -> LocalService.Answer {
    guard var item else { return Self.missing }
    guard let object = body else { return Self.noObject }
    if let answer = refusedCondition(item) { return answer }
    let revives = shape.isAlive(object) && !isWhole || request.includesDeleted
    if isDeleted(item), !revives { return gone }
    do {
      let fields = try shape.fields(object)
      if let id = id(in: fields),
        ExactText(folding: id) != request.id.map({ ExactText(folding: $0) })
      {
        return LocalService.refusal(400, "the id of the item is not that of the path")
      }
      let defaults = shape.defaults(of: request.leftOut, for: object)
      for (place, column) in table.columns.enumerated() where column.role != .id {
        if let value = fields[place] {
          item.values[place] = value
        } else if isWhole, column.role == .value {
          item.values[place] = defaults[place] ?? nil
        }
      }
      stamp(&item.values, isNew: false, besides: fields)
      try items.replace(item, in: table)
      return shown(item.values, status: 200)
    } catch let error as StoreError {
      throw error
    } catch {
      return Self.refusal(error)
    }
  }

  private func undelete(_ item: StoredItems.Item?) throws(StoreError) -> LocalService.Answer {
    guard var item else { return Self.missing }
    if let answer = refusedCondition(item) { return answer }
    stamp(&item.values, isNew: false)
    try items.replace(item, in: table)
    return shown(item.values, status: 200)
  }

  private func delete(_ item: StoredItems.Item?) throws(StoreError) -> LocalService.Answer {
    guard var item else { return Self.missing }
    if isDeleted(item) { return gone }
    if let answer = refusedCondition(item) { return answer }
    if !removesDeleted, let place = table.index(of: .deleted) {
      stamp(&item.values, isNew: false)
      item.values[place] = .integer(1)
      try items.replace(item, in: table)
    } else {
      try items.remove(item, from: table)
    }
    return LocalService.Answer(status: 204)
  }
}

extension LocalExchange {
  private static let missing = LocalService.refusal(404, "there is no such item")
  private static let exists = LocalService.refusal(409, "an item with this id exists")
  private static let noObject = LocalService.refusal(400, "the body is no JSON object")

  private static func refusal(_ error: any Error) -> LocalService.Answer {
    LocalService.refusal(400, (error as? LocalItems.Refusal)?.words ?? "the item cannot be taken")
  }

  private var gone: LocalService.Answer {
    LocalService.refusal(isVersion3 ? 410 : 404, "the item was deleted")
  }

  private func find(_ id: String) throws(StoreError) -> StoredItems.Item? {
    try items.find(id, in: table, exactly: tellsCaseTwinsApart)
  }

  private var body: JSONObject? {
    // What is no JSON is answered as such.
    guard let body = request.body,
      let object = JSONObject(parsing: body.span, limits: .standard.inside(levels: 1))
    else { return nil }
    return object
  }

  private func id(in fields: [Int: RawValue?]) -> String? {
    guard let place = table.index(of: .id), let value = fields[place],
      case .text(let id) = value, !id.isEmpty
    else { return nil }
    return String(decoding: id, as: UTF8.self)
  }

  private func isDeleted(_ item: StoredItems.Item) -> Bool {
    guard let place = table.index(of: .deleted), case .integer(let number) = item.values[place]
    else { return false }
    return number != 0
  }

  private func version(_ values: [RawValue?]) -> String? {
    guard let place = table.index(of: .version), case .text(let version) = values[place] else {
      return nil
    }
    return String(decoding: version, as: UTF8.self)
  }

  /// The answer to a condition that does not hold; as with the services, none is checked where
  /// the table keeps no versions.
  private func refusedCondition(_ item: StoredItems.Item) -> LocalService.Answer? {
    guard let condition = request.condition, table.index(of: .version) != nil,
      !hasSameBytes(condition, version(item.values))
    else { return nil }
    return shown(item.values, status: 412)
  }

  private func shown(_ values: [RawValue?], status: Int) -> LocalService.Answer {
    LocalService.Answer(status: status, version: version(values), body: shape.json(values))
  }

  /// Sets what a server sets when it changes an item, but for times that the app has sent.
  private func stamp(
    _ values: inout [RawValue?], isNew: Bool, besides fields: [Int: RawValue?] = [:]
  ) {
    if let place = table.index(of: .deleted) { values[place] = .integer(0) }
    let time = RawValue.text(Array(now.text.utf8))
    if let place = table.index(of: .updatedAt), fields[place] == nil { values[place] = time }
    if isNew, let place = table.index(of: .createdAt), fields[place] == nil {
      values[place] = time
    }
    guard let place = table.index(of: .version) else { return }
    values[place] = .text(nextVersion(values))
  }

  /// Eight bytes of a hash in base64, the length of a SQL server's row version.
  private func nextVersion(_ values: [RawValue?]) -> [UInt8] {
    var content: [UInt8] = []
    for (column, value) in zip(table.columns, values)
    where !column.role.isSystem || column.role == .version {
      let bytes = value?.bytes ?? []
      content.appendBigEndian(UInt64(bytes.count) << 1 | (value == nil ? 0 : 1))
      content.append(contentsOf: bytes)
    }
    let digest = sha256(padding: &content)
    var version: [UInt8] = []
    let start = Array(digest.bytes.prefix(8))
    version.appendBase64(start.span)
    return version
  }
}
