import Bytes
package import Records

/// Spells requests in a server's dialect.
struct RequestMaker: Sendable {
  /// What the server speaks.
  let dialect: Dialect
  let tables: TableMap
  /// The objects of Parse to which others point by the names that they have on a device.
  var pointers = LocalPointers()

  /// Asks whether the table of a step is there, by one of its items.
  func tableQuestion(_ step: ReplayStep) -> ReplayRequest {
    var request = request(step, .ask, "GET", hasID: false)
    request.query = [ReplayRequest.Field(dialect.limitName, "1")]
    return request
  }

  /// Asks for an item, also when it is deleted.
  func question(_ step: ReplayStep) -> ReplayRequest {
    var request = request(step, .ask, "GET", hasID: true)
    request.query = dialect.queryOfQuestions
    return request
  }

  func creation(_ step: ReplayStep, _ item: SentItem) -> ReplayRequest {
    var request = request(step, .apply, "POST", hasID: false)
    request.query = dialect.queryOfChanges
    request.leftOut = item.leftOut
    request.sdkMembers = item.sdkMembers
    return adding(item.body(condition: nil, isAlive: false), to: request)
  }

  /// Changes an item that has a version, and brings it back where the dialect does both at once.
  func change(
    _ step: ReplayStep, _ item: SentItem, version: String?, bringsBack: Bool
  ) -> ReplayRequest {
    var request = request(step, .apply, dialect.updateMethod, hasID: true)
    request.query = dialect.queryOfChanges
    if bringsBack { request.query += dialect.queryOfQuestions }
    addCondition(version, to: &request)
    let isMerged = request.method == "PATCH"
    if !isMerged { request.leftOut = item.leftOut }
    request.sdkMembers = item.sdkMembers
    return adding(
      item.body(condition: version, isAlive: bringsBack, isMerged: isMerged), to: request)
  }

  /// Deletes an item that has a version.
  func deletion(_ step: ReplayStep, version: String?) -> ReplayRequest {
    var request = request(step, .apply, "DELETE", hasID: true)
    request.query = dialect.queryOfChanges
    addCondition(version, to: &request)
    return request
  }

  /// Brings a deleted item back; the Toolkit does that together with the change.
  func undeletion(_ step: ReplayStep, version: String?) -> ReplayRequest {
    let isPatch = dialect == .v3
    var request = request(step, .undelete, isPatch ? "PATCH" : "POST", hasID: true)
    request.query = dialect.queryOfChanges
    addCondition(version, to: &request)
    return isPatch ? adding(Array("{\"deleted\":false}".utf8), to: request) : request
  }

  /// A request about a step's item, or about its table; the id is the item's own unless given.
  func request(
    _ step: ReplayStep, _ purpose: ReplayRequest.Purpose, _ method: String, hasID: Bool,
    id: String? = nil
  ) -> ReplayRequest {
    let path = tables.path(of: step.table, dialect)
    var headers = [ReplayRequest.Field("Accept", "application/json")]
    if let version = dialect.apiVersion {
      headers.append(ReplayRequest.Field("ZUMO-API-VERSION", version))
    }
    return ReplayRequest(
      step: step.id, purpose: purpose, method: method,
      path: hasID ? path + "/" + encodedSegment(id ?? step.itemID) : path, headers: headers)
  }

  private func addCondition(_ version: String?, to request: inout ReplayRequest) {
    guard let version, !version.isEmpty else { return }
    request.headers.append(ReplayRequest.Field("If-Match", quoted(version, dialect)))
  }

  func adding(_ body: [UInt8], to request: ReplayRequest) -> ReplayRequest {
    var request = request
    request.headers.append(ReplayRequest.Field("Content-Type", "application/json"))
    request.body = body
    return request
  }
}

extension TableMap {
  /// The path of a table, encoded, without a slash in front.
  package func path(of table: String, _ dialect: Dialect) -> String {
    guard let name = self[table] else {
      let route = route(of: table, dialect)
      return dialect.root + encodedSegment(dialect.lowersTables ? route.lowercased() : route)
    }
    if name.hasPrefix("/") {
      return encodedPath(Paths.parts(of: name).joined(separator: "/"))
    }
    return dialect.root + encodedSegment(name)
  }

  /// A hash of what is one item to the server.
  func itemHash(ofTable table: String, id: String, _ dialect: Dialect) -> UInt64 {
    var hasher = Hasher()
    for text in [path(of: table, dialect), id] {
      hasher.combine(dialect.tellsCaseTwinsApart ? ExactText(text) : ExactText(folding: text))
    }
    return UInt64(bitPattern: Int64(hasher.finalize()))
  }
}
