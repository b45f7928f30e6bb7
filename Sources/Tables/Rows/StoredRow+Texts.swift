import Bytes
import SQLite

extension StoredRow where Self: ~Copyable {
  /// The text of a TEXT value that is UTF-8; nil for anything else.
  package func strictText(at column: Int) -> String? {
    guard storageClass(at: column) == .text else { return nil }
    let bytes = bytes(at: column)
    return isValidUTF8(bytes.span) ? String(decoding: bytes, as: UTF8.self) : nil
  }

  /// An item's id, which an app may have declared as a number; nil when it is no id at all.
  package func itemID(at column: Int) -> String? {
    storageClass(at: column) == .integer ? String(integer(at: column)) : strictText(at: column)
  }
}
