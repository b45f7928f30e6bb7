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
  /// The key of its row, where an earlier run has set the value aside and it is not known yet.
  let setAsideInRow: Int64?

  /// A cell that is shown as `text`.
  init(
    _ cell: Cell, in batch: borrowing RecordBatch, text: String?, target: Int64? = nil,
    setAsideInRow: Int64? = nil
  ) {
    self.text = text
    self.target = target
    self.setAsideInRow = setAsideInRow
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
    case .null: nil
    case .integer where type == .boolean: cell.integer != 0 ? "true" : "false"
    case .integer: text(of: .integer(cell.integer))
    case .real: text(of: .real(cell.real))
    case .text: text(of: .text(Array(batch.arena[cell.range])))
    case .binary: text(of: .binary(Array(batch.arena[cell.range])))
    }
  }

  /// A value as text.
  static func text(of value: RawValue) -> String {
    var text: [UInt8] = []
    switch value {
    case .integer(let number): return String(number)
    case .real(let number): text.appendReal(number)
    case .text(let bytes): return shortened(bytes.prefix(longest + 4), of: bytes.count)
    case .binary(let bytes):
      // As text three bytes are four.
      text.appendBase64(bytes.span.extracting(first: longest))
      return shortened(text[...], of: (bytes.count + 2) / 3 * 4)
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// A text of `size` bytes of which only the first are at hand, since it may be long: one character
  /// more than what is shown.
  private static func shortened(_ beginning: ArraySlice<UInt8>, of size: Int) -> String {
    let text = String(decoding: beginning, as: UTF8.self)
    guard max(size, text.utf8.count) > longest else { return text }
    var kept = ""
    for scalar in text.unicodeScalars {
      if kept.utf8.count >= longest { break }
      kept.unicodeScalars.append(scalar)
    }
    return kept + "… (\(size.counted("byte", "bytes")))"
  }
}
