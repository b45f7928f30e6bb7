import Bytes
import Records

extension Finding {
  init(_ code: String, _ severity: Severity, _ operation: PendingOperation, _ message: String) {
    self.init(
      code, severity, table: operation.table, itemID: operation.itemID,
      operation: operation.sequence, message: message)
  }

  /// A name in the queue that is no text, so that nothing tells what it names.
  static func damagedName(
    _ what: String, _ bytes: [UInt8], ofOperation sequence: Int64? = nil
  ) -> Finding {
    Finding(
      "invalid-text", .warning, operation: sequence,
      message: "the \(what), of \(bytes.count) bytes, is not UTF-8 and names nothing")
  }

  /// A file that an older SDK made and a newer one went on with.
  static func twoGenerations(_ evidence: String) -> Finding {
    Finding(
      "two-sdk-generations", .note,
      message: "two generations of the SDK have written to the file: \(evidence)")
  }
}
