import Formats
import Replay

/// What is told of an operation beyond what many have in common.
struct ReplayDetails: Equatable {
  /// The item's version on the server.
  var version: String?
  /// The server's or the network's words.
  var words: String?
  /// What the server keeps otherwise than it was sent.
  var changes: [ServerChange] = []
  /// What was sent, where it was not taken.
  var item: [UInt8]?
  /// What the server has instead.
  var serverItem: [UInt8]?
}

extension ReplayDetails {
  static let fieldCount = 5

  /// The fields as bytes; what is most often there comes first.
  var fields: [[UInt8]?] {
    [
      version.map { Array($0.utf8) }, words.map { Array($0.utf8) },
      changes.isEmpty ? nil : JSONValue.array(changes.map(\.value)).json, item, serverItem,
    ]
  }

  init(_ fields: [[UInt8]?]) {
    version = fields[0].map { String(decoding: $0, as: UTF8.self) }
    words = fields[1].map { String(decoding: $0, as: UTF8.self) }
    // They were written by this very run.
    if let changes = fields[2],
      case .array(let values)? = try? JSONValue(parsing: changes.span, limits: Self.limits)
    {
      self.changes = values.compactMap { ServerChange($0) }
    }
    item = fields[3]
    serverItem = fields[4]
  }

  private static let limits = FormatLimits(maxDepth: 128, maxObjects: .max, maxBytes: .max)
}

extension ServerChange {
  fileprivate var value: JSONValue {
    .array([.string(field), sent] + (kept.map { [$0] } ?? []))
  }

  fileprivate init?(_ value: JSONValue) {
    guard case .array(let parts) = value, parts.count > 1, case .string(let field) = parts[0]
    else { return nil }
    self.init(field: field, sent: parts[1], kept: parts.count > 2 ? parts[2] : nil)
  }
}
