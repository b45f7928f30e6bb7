import CommandLineKit
import Records

/// Operations as lines of a table; where they were replayed, with what became of them.
struct OperationTable {
  private let devices: DeviceLabels
  private let deliveries: Deliveries
  private let table: TextTable

  /// A table of operations of a store, which tells devices apart where there are several.
  init(of source: SourceDescription, _ deliveries: Deliveries) {
    devices = DeviceLabels(of: source)
    self.deliveries = deliveries
    table = TextTable(
      columns: [
        .init("#", alignment: .right), .init("Kind"), .init("Table"), .init("Item"),
        .init("State"), .init("Base version"), .init("Row"),
      ] + (source.isOfSeveral ? [.init("Device")] : [])
        + (deliveries.isEmpty ? [] : [.init("Replay")]))
  }

  func text(_ operations: some Collection<PendingOperation>, style: TextStyle) -> String {
    var text = ""
    table.write(operations.lazy.map(cells), style: style) { text += $0 }
    return text
  }

  /// Prints the table with its heading, in pieces, so that a long queue is never held as text.
  func print(_ operations: OperationList, _ session: Session) throws(StoreError) {
    var output = TextOutput(session)
    try table.write(operations.lazy.map(cells), style: session.console.terminal.outputStyle) {
      (line) throws(StoreError) in try output.add(line)
    }
    try output.finish()
  }

  private func cells(_ operation: PendingOperation) -> [String] {
    let cells = [
      String(operation.sequence), operation.kind?.rawValue ?? "?", operation.table ?? "",
      operation.itemID ?? "", operation.state.rawValue, operation.baseVersion ?? "",
      operation.rowKey != nil ? "here" : operation.item != nil ? "payload" : "none",
    ]
    let device = [devices[operation.source]].compactMap(\.self)
    return cells + device + (deliveries.isEmpty ? [] : [outcomes(operation)])
  }

  /// What became of an operation; where there are several targets, with their names.
  private func outcomes(_ operation: PendingOperation) -> String {
    deliveries[operation.sequence].map { delivery in
      let place =
        deliveries.targets.count > 1
        ? " at \(delivery.target)" : delivery.isRehearsal ? " in the rehearsal" : ""
      return delivery.outcome.words + place
    }.joined(separator: "; ")
  }
}
