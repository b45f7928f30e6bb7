import Bytes
import Records

/// A cell outside its batch; long values only by their hash.
struct ShownCell {
  /// Tells every difference.
  let fingerprint: SHA256Digest
  let text: String?

  /// A cell that is shown as `text`.
  init(_ cell: Cell, in batch: borrowing RecordBatch, text: String?) {
    self.text = text
    var bytes: [UInt8] = []
    let arena = batch.arena
    bytes.append(cell, arena: arena.span)
    var hash = SHA256()
    hash.update(bytes.span)
    fingerprint = hash.finish()
  }
}
