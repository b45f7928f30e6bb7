import Bytes
import Formats
import Records
import SyncSDKs

/// The server's copy of an item, beside a change of it that the server did not take.
struct ServerCopy: Sendable {
  /// In which fields it differs from the device's, but for those of the SDK; nil where that is not
  /// known.
  private let fields: [String]?
  private let presence: Presence

  /// Whether the item is there on the server.
  enum Presence {
    case asWanted
    /// It is there, although the change deletes it.
    case stillThere
    /// It is marked as deleted, although the change makes or changes it.
    case deleted
  }

  init(fields: [String]?, _ presence: Presence) {
    self.fields = fields
    self.presence = presence
  }

  /// Whether nothing is left to choose: both copies say the same, and are both there or both deleted.
  var isAsWanted: Bool { fields == [] && presence == .asWanted }

  /// How it differs from the device's copy, in words; nil where that is not known.
  var words: String? {
    guard let fields else { return nil }
    if !fields.isEmpty {
      return "they differ in " + fields.shortList
        + (presence == .deleted ? ", and the server has marked its copy as deleted" : "")
    }
    return switch presence {
    case .asWanted: "both copies say the same"
    case .stillThere: "the server still has the item, with the same fields"
    case .deleted: "the server has marked its copy as deleted, with the same fields"
    }
  }
}

extension ErrorContext {
  /// What the server has of the item of an error, beside what the device has.
  func serverCopy(_ error: OperationError, _ rows: AttachedRows) -> ServerCopy {
    let fields = differences(error, rows)?.filter { !$0.isSystemField }.map(\.field)
    return serverCopy(error, fields: fields)
  }

  /// The same where it is known in which fields both differ.
  func serverCopy(_ error: OperationError, fields: [String]?) -> ServerCopy {
    ServerCopy(fields: fields, fields == nil ? .asWanted : presence(error))
  }

  /// A delete that need not find its item is sent without a condition, whatever the server has.
  private func presence(_ error: OperationError) -> ServerCopy.Presence {
    guard let server = error.serverItem else { return .asWanted }
    let operation = operation(error.operation)
    let isDeleted = isMarkedAsDeleted(server, sdks[operation?.source ?? error.source].dialect)
    guard (operation?.kind ?? error.kind) == .delete else {
      return isDeleted ? .deleted : .asWanted
    }
    guard !isDeleted else { return .asWanted }
    let places = operation.flatMap { effects.places(ofOperation: $0.sequence) }
    return places?.acceptsMissing == true ? .asWanted : .stillThere
  }
}

/// Whether a server has marked its copy of an item as deleted, by the name that its own mark has; any
/// other name is a field of the app's.
private func isMarkedAsDeleted(_ item: [UInt8], _ dialect: Dialect?) -> Bool {
  guard let dialect, dialect != .parse, let object = JSONObject(parsing: item.span) else {
    return false
  }
  return object.members.contains {
    $0.key.lowercased() == dialect.systemPrefix + "deleted" && truth($0.value) == true
  }
}
