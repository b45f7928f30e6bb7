import Formats
import Records
import SyncSDKs

/// What the reports tell of operations besides what all SDKs have, as their own SDK keeps it.
struct OperationDetails: Sendable {
  private let sdks: DeviceSDKs

  init(of source: SourceDescription) { sdks = source.sdks }

  /// Appends the members that an operation has beside the usual ones.
  func add(_ operation: borrowing PendingOperation, _ text: inout JSONText) {
    guard let detail = sdks[operation.source].details else { return }
    // What cannot be read has nothing to tell.
    let stored = operation.raw.flatMap { JSONObject(parsing: $0.bytes.span) }
    switch detail {
    case .columns(let key):
      guard case .string(let names)? = stored?[key] else { return }
      text.open("[", "changed")
      for name in names.split(separator: ",") { text.add(nil, String(name)) }
      text.close("]")
    case .entry(let changes, let kept):
      // The transaction stands behind the word of the kind.
      text.add(
        "transaction", operation.originalCode?.split(separator: " ").last.flatMap { Int64($0) })
      guard let stored else { return }
      addEntry(stored, changes: changes, kept: kept, of: operation, &text)
    }
  }

  /// What an entry of an upload queue tracks.
  private func addEntry(
    _ entry: JSONObject, changes: String, kept: [StaticString],
    of operation: borrowing PendingOperation,
    _ text: inout JSONText
  ) {
    if operation.kind == .update, case .object(let data)? = entry[changes] {
      text.open("[", "changed")
      for member in data.members { text.add(nil, member.key) }
      text.close("]")
    }
    for name in kept {
      if let value = entry[name.description] { text.add(name, value) }
    }
  }
}
