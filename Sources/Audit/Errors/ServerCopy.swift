import Bytes
import Formats
import Records
import SyncSDKs

/// The server's copy of an item, beside a change of it that the server did not take.
struct ServerCopy: Sendable {
  /// In which fields it differs from the device's, but for those of the SDK; nil where that is not
  /// known.
  private let fields: [String]?
  /// Whether the item is there, although the change deletes it.
  private let isStillThere: Bool

  init(fields: [String]?, isStillThere: Bool) {
    self.fields = fields
    self.isStillThere = isStillThere
  }

  /// Whether nothing is left to choose: both copies say the same, and no item waits for its deletion.
  var isAsWanted: Bool { fields == [] && !isStillThere }

  /// How it differs from the device's copy, in words; nil where that is not known.
  var words: String? {
    guard let fields else { return nil }
    if !fields.isEmpty { return "they differ in " + fields.shortList }
    return isStillThere
      ? "the server still has the item, with the same fields" : "both copies say the same"
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
    ServerCopy(fields: fields, isStillThere: fields == [] && isStillThere(error))
  }

  /// Whether an error is about a delete, and shows an item that the server has not deleted.
  ///
  /// A delete that need not find its item is sent without a condition, whatever the server has.
  private func isStillThere(_ error: OperationError) -> Bool {
    let operation = operation(error.operation)
    guard (operation?.kind ?? error.kind) == .delete, let server = error.serverItem else {
      return false
    }
    guard !isMarkedAsDeleted(server, sdks[operation?.source ?? error.source].dialect) else {
      return false
    }
    return operation.flatMap { effects.places(ofOperation: $0.sequence) }?.acceptsMissing != true
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
