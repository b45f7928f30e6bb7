import Bytes
package import Records
import Tables

extension DeviceSDKs {
  /// Whether nobody can tell what an operation of one of the devices is to send.
  package func cannotRead(_ operation: PendingOperation) -> Bool {
    self[operation.source].cannotRead(operation)
  }
}

extension SDKTraits {
  /// Whether nobody can tell what an operation is to send, although it tells its kind: its payload is
  /// no JSON object, or that of another item.
  package func cannotRead(_ operation: PendingOperation) -> Bool {
    let isStrange =
      needsPayload(of: operation.kind) && operation.item == nil
      && isStrangePayload(operation.raw, of: operation.kind)
    return isStrange || keepsOtherItem(operation)
  }

  /// Whether an operation of a kind needs a payload, and this one, of which no item came, is none.
  ///
  /// A text of no length says that there is none, but for SDKs that keep one of every operation.
  package func isStrangePayload(_ raw: RawValue?, of kind: OperationKind?) -> Bool {
    guard let raw, needsPayload(of: kind) else { return false }
    return switch raw.payloadForm {
    case .missing, .object: false
    case .empty: keepsAllItems
    case .strange: true
    }
  }

  /// Whether an operation that tells its kind needs a payload that can be read.
  ///
  /// The kind of the SDK for iOS is in the payload itself.
  package func needsPayload(of kind: OperationKind?) -> Bool {
    guard let kind else { return false }
    return !hasKindsInPayloads && !(kind == .delete && deletesByOperation)
  }

  /// Whether an operation would send the payload of another item than the one that it names.
  ///
  /// A delete sends its payload's id (`azure-mobile-ios.md`, section 6.3), and the Community Toolkit
  /// the payload of every operation; which of the two items the app meant nobody can tell.
  package func keepsOtherItem(_ operation: PendingOperation) -> Bool {
    guard sendsPayload(of: operation.kind), let itemID = operation.itemID,
      let item = operation.item,
      // As payloads are, almost always.
      !item.starts(with: "{\"id\":\"\(itemID)\"".utf8),
      // What cannot be read is told as such.
      let id = JSONPayload(item.span).text("id")
    else { return false }
    return ExactText(folding: id) != ExactText(folding: itemID)
  }

  /// Whether an item has a version, under any name that the SDK has for it.
  package func hasVersion(_ item: [UInt8]) -> Bool {
    JSONPayload(item.span).version(under: systemPrefixes.map { $0 + "version" }) != nil
  }

  /// Whether operations of a kind go to a service of Azure as their payloads say.
  package func sendsPayload(of kind: OperationKind?) -> Bool {
    guard service == nil, dialect != .parse, let kind else { return false }
    return kind == .delete || dialect == .toolkit
  }
}
