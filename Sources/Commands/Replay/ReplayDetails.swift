import Bytes
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

/// The details of many operations, in a file but for the last of them.
struct KeptDetails {
  /// Where the details of an operation are, in four bytes.
  struct Place {
    /// One more than the number of the step; 0 where there are no details.
    fileprivate var number: UInt32 = 0

    /// Stands for an operation without details.
    static let none = Place()
    var isNone: Bool { number == 0 }
  }

  private var spool = ByteSpool()

  /// With so many bytes a step, most versions take one, and four bytes lead through 64 GiB.
  private static let step = 16

  /// Keeps details; those that lie too far behind others are shown as missing.
  mutating func add(_ details: ReplayDetails) -> Place {
    let fields = details.fields
    guard fields.contains(where: { $0 != nil }) else { return .none }
    var packed: [UInt8] = []
    for field in fields[...(fields.lastIndex { $0 != nil } ?? 0)] { packed.append(field: field) }
    let start = spool.append(counted: packed.span, step: Self.step)
    return Place(number: UInt32(exactly: start / Self.step + 1) ?? 0)
  }

  /// The details at a place; none also where they cannot be read back.
  subscript(place: Place) -> ReplayDetails {
    guard !place.isNone else { return ReplayDetails() }
    return spool.withCounted(at: (Int(place.number) - 1) * Self.step) { packed in
      var start = 0
      return ReplayDetails((0..<ReplayDetails.fieldCount).map { _ in field(packed, &start) })
    }
  }

  private func field(_ packed: Span<UInt8>, _ start: inout Int) -> [UInt8]? {
    guard start < packed.count else { return nil }
    let length = packed[start]
    start &+= 1
    guard length > 0 else { return nil }
    var count = Int(length) - 1
    if length == .max {
      count = Int(UInt64(bigEndian: loadWord(from: packed, at: start)))
      start &+= 8
    }
    defer { start &+= count }
    var field: [UInt8] = []
    field.append(packed.extracting(start..<start + count))
    return field
  }
}

extension ReplayDetails {
  fileprivate static let fieldCount = 5

  /// The fields as bytes; what is most often there comes first.
  fileprivate var fields: [[UInt8]?] {
    [
      version.map { Array($0.utf8) }, words.map { Array($0.utf8) },
      changes.isEmpty ? nil : JSONValue.array(changes.map(\.value)).json, item, serverItem,
    ]
  }

  fileprivate init(_ fields: [[UInt8]?]) {
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

extension [UInt8] {
  /// Appends a field behind a byte that is one more than its length, and 0 for none; where it is
  /// long, the length itself follows.
  fileprivate mutating func append(field: [UInt8]?) {
    guard let field else { return append(0) }
    if field.count < Int(UInt8.max) - 1 {
      append(UInt8(field.count + 1))
    } else {
      append(.max)
      appendBigEndian(UInt64(field.count))
    }
    append(contentsOf: field)
  }
}
