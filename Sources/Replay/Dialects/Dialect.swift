package import Records

/// How each service wants its requests.
extension Dialect {
  /// The value of `ZUMO-API-VERSION`, which the first services refuse to see.
  var apiVersion: String? {
    switch self {
    case .v1, .parse, .rows: nil
    case .v2: "2.0.0"
    case .v3, .toolkit: "3.0.0"
    }
  }

  /// Whether clients spell tables in lower case where nobody says otherwise.
  var lowersTables: Bool { self == .v3 || self == .toolkit }

  /// How an item is changed.
  var updateMethod: String { lowersTables || self == .parse ? "PUT" : "PATCH" }

  /// Whether ids that differ only in letter case are two; to the databases behind Azure's services
  /// they are one, and devices spell UUIDs in either way.
  package var tellsCaseTwinsApart: Bool { self == .rows || self == .parse }

  /// Whether the server gives new items their ids, so that until then an item, and what points to it,
  /// knows only what its device calls it.
  package var serverGivesIDs: Bool { self == .parse }

  /// The header of a token that has no name.
  package var tokenHeader: String { self == .parse ? "X-Parse-Session-Token" : "X-ZUMO-AUTH" }

  var root: String { self == .parse ? "classes/" : "tables/" }

  /// How the lists of a table are kept short.
  var limitName: String { self == .parse ? "limit" : "$top" }

  /// Whether a 409 carries the item that the server has, and not the one that it was sent.
  var showsItemOnClash: Bool { self == .v3 || self == .toolkit }

  /// What a change asks to be told, a deletion, too, whose refusal shows the item; the first services
  /// keep versions to themselves otherwise.
  var queryOfChanges: [ReplayRequest.Field] {
    self == .v1 ? [ReplayRequest.Field("__systemproperties", "__version")] : []
  }

  /// What a question asks to be told: every property of the system, and deleted items too.
  var queryOfQuestions: [ReplayRequest.Field] {
    switch self {
    case .v1:
      [
        ReplayRequest.Field("__systemproperties", "*"),
        ReplayRequest.Field("__includeDeleted", "true"),
      ]
    case .v2: [ReplayRequest.Field("__includeDeleted", "true")]
    case .v3, .toolkit: [ReplayRequest.Field("__includedeleted", "true")]
    case .rows: [ReplayRequest.Field("__includeDeleted", "true")]
    case .parse: []
    }
  }

  var idMember: String {
    switch self {
    case .rows: Self.reservedID
    case .parse: "objectId"
    default: "id"
    }
  }

  /// The same where `id` may be a column like any other.
  package static let reservedID = "__id"

  /// Whether a member of an item, its name in lower case, is the server's own.
  func isSystemProperty(_ name: String) -> Bool {
    switch name {
    case "version", "updatedat", "deleted": systemPrefix.isEmpty
    case "createdat": self == .v2 || self == .parse
    default: name.hasPrefix("__") && (!systemPrefix.isEmpty || Self.prefixedNames.contains(name))
    }
  }

  /// The properties that the first services put underscores in front of.
  private static let prefixedNames: Set<String> = [
    "__version", "__createdat", "__updatedat", "__deleted",
  ]

  /// Whether a column of this name is left out of what is sent, or is taken for the id.
  package func leavesOut(_ name: String) -> Bool {
    let name = name.lowercased()
    return !sendsSets && (name == idMember || isStripped(name))
  }

  /// Whether a member, its name in lower case, is left out of what is sent.
  ///
  /// Datasync takes a version; the Toolkit sends its items as they are.
  func isStripped(_ name: String) -> Bool {
    switch self {
    case .v1, .v2, .rows: isSystemProperty(name)
    case .v3: isSystemProperty(name) && name != "version"
    case .toolkit, .parse: false
    }
  }
}
