import Records

extension Finding {
  init(_ code: String, _ severity: Severity, _ operation: PendingOperation, _ message: String) {
    self.init(
      code, severity, table: operation.table, itemID: operation.itemID,
      operation: operation.sequence, message: message)
  }

  /// A file that an older SDK made and a newer one went on with.
  static func twoGenerations(_ evidence: String) -> Finding {
    Finding(
      "two-sdk-generations", .note,
      message: "two generations of the SDK have written to the file: \(evidence)")
  }
}
