import Bytes
import Records

extension OperationList {
  /// Tells of changes that cannot be sent from where only some tables go, since the rows of the others
  /// stay behind.
  func findingsWithoutRows(of catalogue: Catalogue, _ kept: Set<ExactText>) -> [Finding] {
    var counts: [ExactText: Int] = [:]
    for operation in self {
      guard operation.kind == .insert || operation.kind == .update, let table = operation.table,
        operation.state != .completed, operation.state != .dropped
      else { continue }
      counts[ExactText(table), default: 0] += 1
    }
    return catalogue.tables.map(\.name).compactMap { table in
      guard !kept.contains(ExactText(table)), let count = counts[ExactText(table)] else {
        return nil
      }
      return Finding(
        "not-carried-over", .warning, table: table,
        message: "the rows of \(table), which was left out, so that changes of them cannot be sent "
          + "from here: \(count)")
    }
  }
}
