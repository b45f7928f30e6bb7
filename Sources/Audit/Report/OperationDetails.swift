import Formats
import Records

/// What the reports tell of operations besides what all SDKs have, as their own SDK keeps it.
struct OperationDetails: Sendable {
  /// The layouts of the sources that have more to tell.
  private let layouts: [Int32: Layout]

  /// Looks at what the sources are.
  init(of source: SourceDescription) {
    let all: [(Int32, Layout)] =
      source.isOfSeveral
      ? source.earlier.map { (Int32(clamping: $0.number), $0.source.layout) }
      : [(0, source.earlier.first?.source.layout ?? source.layout)]
    let telling = all.filter { [.watermelonDB, .powerSync].contains($0.1) }
    layouts = Dictionary(telling, uniquingKeysWith: { first, _ in first })
  }

  /// Appends the members that an operation has beside the usual ones.
  func add(_ operation: PendingOperation, _ text: inout JSONText) {
    guard let layout = layouts[operation.source], let bytes = operation.raw?.bytes,
      // What cannot be read has nothing to tell.
      case .object(let stored)? = try? JSONValue(parsing: bytes.span)
    else { return }
    switch layout {
    case .watermelonDB: addChanged(stored, &text)
    case .powerSync: addEntry(stored, of: operation, &text)
    default: break
    }
  }

  /// The names of the changed columns, which the row holds separated by commas.
  private func addChanged(_ state: JSONObject, _ text: inout JSONText) {
    guard case .string(let names)? = state["_changed"] else { return }
    text.open("[", "changed")
    for name in names.split(separator: ",") { text.add(nil, String(name)) }
    text.close("]")
  }

  /// What an entry of the upload queue tracks; the transaction stands behind the word of its kind.
  private func addEntry(
    _ entry: JSONObject, of operation: PendingOperation, _ text: inout JSONText
  ) {
    text.add(
      "transaction", operation.originalCode?.split(separator: " ").last.flatMap { Int64($0) })
    if operation.kind == .update, case .object(let data)? = entry["data"] {
      text.open("[", "changed")
      for member in data.members { text.add(nil, member.key) }
      text.close("]")
    }
    if let old = entry["old"] { text.add("old", old) }
    if let metadata = entry["metadata"] { text.add("metadata", metadata) }
  }
}
