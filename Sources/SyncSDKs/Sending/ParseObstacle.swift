package import Formats
package import Records

/// Why nobody sends an operation of Parse, as far as it tells by itself.
package enum ParseObstacle: Sendable {
  /// It is a command that changes no object, or makes one that no change can make.
  case noChange
  /// The changes that it names are not in the store.
  case withoutChanges
  /// It holds a file that was never uploaded, and whose bytes are not in the store.
  case withoutFile

  /// Classes whose objects are made by signing up, signing in and registering.
  private static let ownClasses: Set<String> = ["_User", "_Session", "_Installation"]

  /// Looks at an operation on an object of a class, and at the changes that an insert or update would
  /// send; nil where nothing is in its way.
  package init?(_ operation: PendingOperation, ofClass className: String, _ changes: JSONObject?) {
    switch (operation.kind, changes) {
    case (nil, _) where operation.originalCode == SDK.commandCodeOfParse: self = .noChange
    case (nil, _), (.delete, _): return nil
    case (.insert, _) where Self.ownClasses.contains(className): self = .noChange
    case (_, nil): self = .withoutChanges
    case (_, let changes?):
      guard Self.holdsFile(.object(changes)) else { return nil }
      self = .withoutFile
    }
  }

  /// Whether a value holds a file without the name that the server gives it.
  private static func holdsFile(_ value: JSONValue) -> Bool {
    var isFound = false
    JSONValue.forEachObject(in: [value]) { object in
      isFound =
        isFound
        || object["__type"] == .string("File") && (object["name"] == nil || object["url"] == nil)
      return !isFound
    }
    return isFound
  }
}

extension PendingOperation {
  /// The changes of an operation of Parse; nil where they are not there.
  package var changesOfParse: JSONObject? {
    // What a device's own row would be sent as is no parameter of a command.
    JSONObject(changesOfParse: raw?.bytes, parameters: rowKey == nil ? item : nil)
  }
}

extension JSONObject {
  /// The changes that an operation of Parse sends: the set of an object as it was stored, or the
  /// parameters of a command; nil where neither is there.
  package init?(changesOfParse raw: [UInt8]?, parameters: [UInt8]?) {
    guard let bytes = parameters ?? raw,
      // What is no JSON is reported as missing.
      case .object(let changes)? = try? JSONValue(parsing: bytes.span)
    else { return nil }
    self = changes
  }
}
