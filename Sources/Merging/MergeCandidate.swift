import Bytes
import Records
import SQLite

/// A row with an id as it is compared with those of other sources; its bytes lie in an arena.
struct MergeCandidate {
  var table: Int32
  var source: Int32
  var key: Int64
  var id: Range<Int>
  /// When the row was changed last, so that later times are greater; nil where it does not tell.
  var time: Range<Int>?
  /// What the row's version is compared as.
  var version: BoundValue

  /// What its bytes lie behind in an entry.
  private static let headSize = 41

  /// Appends the row as an entry that begins with a hash of its id.
  func append(to entry: inout [UInt8], hash: UInt64, arena: Span<UInt8>) {
    entry.appendBigEndian(hash)
    entry.appendBigEndian(UInt32(bitPattern: table))
    entry.appendBigEndian(UInt32(bitPattern: source))
    entry.appendBigEndian(UInt64(bitPattern: key))
    entry.appendBigEndian(UInt32(truncatingIfNeeded: id.count))
    entry.appendBigEndian(UInt32(truncatingIfNeeded: time.map { $0.count + 1 } ?? 0))
    let (kind, number, bytes) = version.parts
    entry.append(kind)
    entry.appendBigEndian(number)
    entry.append(arena.extracting(id))
    if let time { entry.append(arena.extracting(time)) }
    if let bytes { entry.append(arena.extracting(bytes)) }
  }

  /// Writes the table into an entry.
  static func setTable(_ table: Int32, ofEntryAt start: Int, in entries: inout [UInt8]) {
    for place in 0..<4 {
      let shift = 24 - UInt32(place) * 8
      entries[start + 8 + place] = UInt8(
        truncatingIfNeeded: UInt32(bitPattern: table) >> shift)
    }
  }

  /// The hash with which an entry begins, and where the next entry does.
  static func outline(of entries: Span<UInt8>, at start: Int) -> (hash: UInt64, end: Int) {
    let row = MergeCandidate(entries, at: start)
    let end = row.version.parts.bytes?.upperBound ?? row.time?.upperBound ?? row.id.upperBound
    return (UInt64(bigEndian: loadWord(from: entries, at: start)), end)
  }

  /// The row of an entry.
  init(_ entries: Span<UInt8>, at start: Int) {
    func word(_ offset: Int) -> UInt64 {
      UInt64(bigEndian: loadWord(from: entries, at: start + offset))
    }
    let (numbers, counts) = (word(8), word(24))
    table = Int32(truncatingIfNeeded: numbers >> 32)
    source = Int32(truncatingIfNeeded: numbers)
    key = Int64(bitPattern: word(16))
    let idStart = start + Self.headSize
    id = idStart..<idStart + Int(counts >> 32)
    let timeCount = Int(counts & 0xFFFF_FFFF)
    time = timeCount > 0 ? id.upperBound..<id.upperBound + timeCount - 1 : nil
    version = BoundValue(
      kind: entries[start + 32], number: word(33), bytesFrom: time?.upperBound ?? id.upperBound)
  }

  init(
    table: Int32, source: Int32, key: Int64, id: Range<Int>, time: Range<Int>?, version: BoundValue
  ) {
    (self.table, self.source, self.key) = (table, source, key)
    (self.id, self.time, self.version) = (id, time, version)
  }
}

extension MergeCandidate {
  /// Whether both are rows of one item.
  func isSameItem(as other: MergeCandidate, in arena: Span<UInt8>) -> Bool {
    table == other.table && arena.extracting(id).isEqual(to: arena.extracting(other.id))
  }

  /// Whether the row comes before another: by its item, then the one that is kept first.
  func precedes(_ other: MergeCandidate, in arena: Span<UInt8>) -> Bool {
    if table != other.table { return table < other.table }
    let ids = order(of: arena.extracting(id), and: arena.extracting(other.id))
    if ids != 0 { return ids < 0 }
    let times = timeOrder(other, arena)
    if times != 0 { return times > 0 }
    let versions = version.order(other.version, in: arena)
    if versions != 0 { return versions > 0 }
    return (source, key) < (other.source, other.key)
  }

  private func timeOrder(_ other: MergeCandidate, _ arena: Span<UInt8>) -> Int {
    guard let time, let others = other.time else {
      return (time == nil ? 0 : 1) - (other.time == nil ? 0 : 1)
    }
    return order(of: arena.extracting(time), and: arena.extracting(others))
  }
}

extension BoundValue {
  fileprivate var parts: (kind: UInt8, number: UInt64, bytes: Range<Int>?) {
    switch self {
    case .null: (0, 0, nil)
    case .integer(let number): (1, UInt64(bitPattern: number), nil)
    case .real(let number): (2, number.bitPattern, nil)
    case .text(let range): (3, UInt64(range.count), range)
    case .blob(let range): (4, UInt64(range.count), range)
    }
  }

  fileprivate init(kind: UInt8, number: UInt64, bytesFrom start: Int) {
    self =
      switch kind {
      case 1: .integer(Int64(bitPattern: number))
      case 2: .real(Double(bitPattern: number))
      case 3: .text(start..<start + Int(number))
      case 4: .blob(start..<start + Int(number))
      default: .null
      }
  }

  /// How this compares with another in the engine's order: nothing, numbers, texts, bytes.
  fileprivate func order(_ other: BoundValue, in arena: Span<UInt8>) -> Int {
    switch (self, other) {
    case (.integer(let left), .integer(let right)): left < right ? -1 : left > right ? 1 : 0
    case (.real(let left), .real(let right)): left < right ? -1 : left > right ? 1 : 0
    case (.integer(let left), .real(let right)): Self.order(left, right)
    case (.real(let left), .integer(let right)): -Self.order(right, left)
    case (.text(let left), .text(let right)), (.blob(let left), .blob(let right)):
      Bytes.order(of: arena.extracting(left), and: arena.extracting(right))
    default: rank - other.rank
    }
  }

  private var rank: Int {
    switch self {
    case .null: 0
    case .integer, .real: 1
    case .text: 2
    case .blob: 3
    }
  }

  private static func order(_ left: Int64, _ right: Double) -> Int {
    guard right < 0x1p63 else { return -1 }
    guard right >= -0x1p63 else { return 1 }
    let whole = Int64(right)
    if left != whole { return left < whole ? -1 : 1 }
    let rest = right - Double(whole)
    return rest > 0 ? -1 : rest < 0 ? 1 : 0
  }
}
