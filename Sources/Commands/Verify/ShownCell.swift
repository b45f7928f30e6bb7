import Bytes
import CommandLineKit
import Records

/// A cell outside its batch; long values only by their hash.
struct ShownCell {
  /// Tells every difference.
  let fingerprint: SHA256Digest
  var text: String?
  /// The key of the row to which it refers, where it is compared by the id of that.
  let target: Int64?

  /// A cell that is shown as `text`.
  init(_ cell: Cell, in batch: borrowing RecordBatch, text: String?, target: Int64? = nil) {
    self.text = text
    self.target = target
    var bytes: [UInt8] = []
    let arena = batch.arena
    bytes.append(cell, arena: arena.span)
    var hash = SHA256()
    hash.update(bytes.span)
    fingerprint = hash.finish()
  }
}

extension ShownCell {
  /// How many bytes of a value are shown.
  private static let longest = 200

  /// The value of one cell as text; nil for NULL.
  static func text(of cell: Cell, _ type: LogicalType, in batch: borrowing RecordBatch) -> String? {
    switch cell.kind {
    case .null: return nil
    case .integer where type == .boolean: return cell.integer != 0 ? "true" : "false"
    case .integer: return String(cell.integer)
    case .real:
      var digits: [UInt8] = []
      digits.appendReal(cell.real)
      return String(decoding: digits, as: UTF8.self)
    case .text: return shortened(String(decoding: batch.arena[cell.range], as: UTF8.self))
    case .binary:
      let arena = batch.arena
      var text: [UInt8] = []
      text.appendBase64(arena.span.extracting(cell.range))
      return shortened(String(decoding: text, as: UTF8.self))
    }
  }

  private static func shortened(_ text: String) -> String {
    guard text.utf8.count > longest else { return text }
    var kept = ""
    for scalar in text.unicodeScalars {
      if kept.utf8.count >= longest { break }
      kept.unicodeScalars.append(scalar)
    }
    return kept + "… (\(text.utf8.count.counted("byte", "bytes")))"
  }
}
