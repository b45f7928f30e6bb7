import Bytes
package import Records

/// What devices call the tables and items of operations, where that is not what the queue says.
///
/// Operations are told apart and folded as the queue spells them; these names stand in requests.
package struct SentNames: Sendable {
  /// The device's names of tables, by `sequence`.
  private let tables: [Int64: String]
  /// The `sequence` of operations whose item is called otherwise, and where its id is.
  private var places = PackedPairs()
  private var ids = ByteSpool(memoryLimit: 64 << 10)

  /// Names of tables by the `sequence` of operations.
  package init(tables: [Int64: String] = [:]) { self.tables = tables }

  /// Tells what a device calls the item of an operation; the operations come in order.
  package mutating func add(itemID id: String, of sequence: Int64) {
    places.append(Int(sequence), ids.append(counted: id.utf8Span.span))
  }

  /// An operation with the names that it has on its device.
  package func named(_ operation: PendingOperation) -> PendingOperation {
    var operation = operation
    if let table = tables[operation.sequence] { operation.table = table }
    if let id = itemID(of: operation.sequence) { operation.itemID = id }
    return operation
  }

  /// An effect with the names that the first of its operations has on its device; but a delete with a
  /// copy of the item goes by the id in that.
  func named(_ effect: Effect) -> Effect {
    guard let sequence = effect.sequences.first else { return effect }
    var effect = effect
    if let table = tables[sequence], !hasSameBytes(table, effect.table) {
      effect.rowTable = effect.rowTable ?? effect.table
      effect.table = table
    }
    let isKept = effect.kind == .delete && effect.item != nil
    if let id = itemID(of: isKept ? effect.source : sequence) { effect.itemID = id }
    return effect
  }

  private func itemID(of sequence: Int64) -> String? {
    let place = places.firstPosition(from: Int(sequence))
    guard place < places.count, places[place].0 == Int(sequence) else { return nil }
    return String(decoding: ids.counted(at: places[place].1), as: UTF8.self)
  }
}
