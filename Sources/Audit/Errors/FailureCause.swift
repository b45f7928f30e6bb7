import Formats
import Records

/// Why an operation failed, as far as its error tells.
package enum FailureCause: String, Sendable, CaseIterable {
  /// The server has another version of the item, or has it already.
  case conflict
  /// The server, or the SDK before it asked, refused the operation as it is.
  case rejected
  /// Something that may pass: no network, an overloaded server.
  case transient
  /// The server answered with success, and the SDK could not make use of the answer; or it no
  /// longer had what was to be deleted.
  case answered
  /// The error does not say.
  case unknown

  /// What speaks from the status and the SDK's own code.
  init(_ error: OperationError) {
    switch error.status {
    case 409?, 412?: self = .conflict
    // The item is gone, as it should be.
    case 404? where error.kind == .delete, 410? where error.kind == .delete: self = .answered
    case 408?, 425?, 429?: self = .transient
    case let status? where (200..<400).contains(status): self = .answered
    case let status? where (400..<500).contains(status): self = .rejected
    case let status? where (500..<600).contains(status): self = .transient
    case .some: self = .unknown
    // The server shows its copy only where it has another one.
    case nil where error.serverItem != nil: self = .conflict
    case nil: self = Self.withoutAnswer(error)
    }
  }

  /// Codes of the SDK for iOS, as `azure-mobile-ios.md` section 6.5 lists them.
  private static func withoutAnswer(_ error: OperationError) -> FailureCause {
    // The SDK for Android notes no status of what the server refused, only words.
    guard let code = error.code.flatMap({ Int64($0) }) else { return .unknown }
    switch Self.domain(error) {
    case nil: break
    case let domain? where networkDomains.contains(domain): return .transient
    case "NSCocoaErrorDomain"?: return code == 3840 ? .answered : .unknown
    // An app that sends operations itself has codes of its own.
    case let domain?: guard domain.hasPrefix("com.Microsoft.") else { return .unknown }
    }
    switch code {
    // No item, no id, an item that is not JSON, an id that is none: no request was made.
    case -1105 ... -1101: return .rejected
    case -1303: return .conflict
    case -1201, 3840: return .answered
    default: return .transient
    }
  }

  /// The domains of failures on the way to a server.
  private static let networkDomains: Set = [
    "NSURLErrorDomain", "NSPOSIXErrorDomain", "kCFErrorDomainCFNetwork",
  ]

  /// Whose code an error has, which the SDK for iOS notes beside it.
  private static func domain(_ error: OperationError) -> String? {
    guard let raw = error.raw,
      case .string(let domain)? = JSONObject(parsing: raw.bytes.span)?["domain"]
    else { return nil }
    return domain
  }

  /// A few words for people.
  package var title: String {
    switch self {
    case .conflict: "conflict with the server's copy"
    case .rejected: "refused"
    case .transient: "passing trouble"
    case .answered: "done by the server, not noticed by the app"
    case .unknown: "cause not told"
    }
  }
}
