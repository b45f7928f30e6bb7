import Bytes
package import Records
import Tables

extension PendingOperation {
  /// Whether a delete keeps the payload of another item than the one that it names.
  ///
  /// The SDKs delete the item of the payload (`azure-mobile-ios.md`, section 6.3), and which of the
  /// two the app meant nobody can tell.
  package var keepsOtherItem: Bool {
    guard kind == .delete, let itemID, let item,
      // As payloads are, almost always.
      !item.starts(with: "{\"id\":\"\(itemID)\"".utf8),
      // What cannot be read is told as such.
      let id = JSONPayload(item.span).text("id")
    else { return false }
    return ExactText(folding: id) != ExactText(folding: itemID)
  }
}
