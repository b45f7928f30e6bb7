import Bytes
import Records

/// Many records of one size, sorted into parts of which each fits the memory.
struct PartedSpool {
  private var spool = ByteSpool()
  private var parts: [[ByteSpool.Place]]
  private var waiting: [[UInt8]]
  /// How many bytes of a part are kept at once.
  private let pieceSize: Int

  private static let recordsOfPart = 100_000

  /// Room for about as many records.
  init(records: Int, recordSize: Int) {
    let count = max(1, min(records / Self.recordsOfPart + 1, 4096))
    parts = Array(repeating: [], count: count)
    waiting = Array(repeating: [], count: count)
    pieceSize = recordSize << 8
  }

  /// The places of the parts.
  var indices: Range<Int> { parts.indices }

  /// Takes a record, which `append` writes as words; those of one key come into one part, and stay in
  /// the order in which they came.
  mutating func add(
    key: UInt64, _ append: (inout [UInt8]) -> Void
  ) throws(FileError) {
    let part = Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> 33) % parts.count
    append(&waiting[part])
    guard waiting[part].count >= pieceSize else { return }
    let piece = waiting[part]
    parts[part].append(try spool.append(piece.span))
    waiting[part].removeAll(keepingCapacity: true)
  }

  /// Hands out the bytes of a part, some whole records at a time.
  func forEachPiece(
    ofPart part: Int, _ body: ([UInt8]) -> Void
  ) throws(FileError) {
    for place in parts[part] { body(try spool.read(place)) }
    body(waiting[part])
  }
}

/// The word of a record that begins at a place in a piece.
func word(_ number: Int, ofRecordAt start: Int, in piece: [UInt8]) -> UInt64 {
  UInt64(bigEndian: loadWord(from: piece.span, at: start + number * 8))
}

/// Keys in parts, of which each fits the memory.
struct KeySpool {
  private var spool: PartedSpool

  private static let entrySize = 8

  /// Room for the keys of about as many records, in the parts in which these are.
  init(records: Int) { spool = PartedSpool(records: records, recordSize: Self.entrySize) }

  mutating func add(_ key: Int64) throws(StoreError) {
    let bits = UInt64(bitPattern: key)
    try storeErrors { () throws(FileError) in
      try spool.add(key: bits) { $0.appendBigEndian(bits) }
    }
  }

  func keys(ofPart part: Int) throws(StoreError) -> Set<Int64> {
    var keys: Set<Int64> = []
    try storeErrors { () throws(FileError) in
      try spool.forEachPiece(ofPart: part) { piece in
        for start in stride(from: 0, to: piece.count, by: Self.entrySize) {
          keys.insert(Int64(bitPattern: word(0, ofRecordAt: start, in: piece)))
        }
      }
    }
    return keys
  }
}
