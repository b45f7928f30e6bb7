import Bytes
import Records

/// Many records of a few words, sorted into parts of which each fits the memory.
struct PartedSpool<let wordCount: Int> {
  typealias Words = InlineArray<wordCount, UInt64>

  private var spool = ByteSpool()
  private var parts: [[ByteSpool.Place]]
  private var waiting: [[UInt8]]

  private static var recordsOfPart: Int { 100_000 }
  private static var recordSize: Int { wordCount * 8 }
  /// How many bytes of a part are kept at once.
  private static var pieceSize: Int { recordSize << 8 }

  /// Room for about as many records.
  init(records: Int) {
    let count = max(1, min(records / Self.recordsOfPart + 1, 4096))
    parts = Array(repeating: [], count: count)
    waiting = Array(repeating: [], count: count)
  }

  /// The places of the parts.
  var indices: Range<Int> { parts.indices }

  /// Takes a record; those of one key come into one part, and stay in the order in which they came.
  mutating func add(key: UInt64, _ words: Words) throws(StoreError) {
    let part = Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> 33) % parts.count
    for place in words.indices { waiting[part].appendBigEndian(words[place]) }
    guard waiting[part].count >= Self.pieceSize else { return }
    let piece = waiting[part]
    let place = try storeErrors { () throws(FileError) in try spool.append(piece.span) }
    parts[part].append(place)
    waiting[part].removeAll(keepingCapacity: true)
  }

  /// The records of a part, each as what `record` makes of its words.
  func records<Record>(
    ofPart part: Int, _ record: (Words) -> Record
  ) throws(StoreError) -> [Record] {
    var records: [Record] = []
    for place in parts[part] {
      let piece = try storeErrors { () throws(FileError) in try spool.read(place) }
      Self.append(piece, to: &records, record)
    }
    Self.append(waiting[part], to: &records, record)
    return records
  }

  private static func append<Record>(
    _ piece: [UInt8], to records: inout [Record], _ record: (Words) -> Record
  ) {
    for start in stride(from: 0, to: piece.count, by: recordSize) {
      records.append(record(Words { word($0, ofRecordAt: start, in: piece) }))
    }
  }
}

/// The word of a record that begins at a place in a piece.
func word(_ number: Int, ofRecordAt start: Int, in piece: [UInt8]) -> UInt64 {
  UInt64(bigEndian: loadWord(from: piece.span, at: start + number * 8))
}

/// Keys in parts, of which each fits the memory.
struct KeySpool {
  private var spool: PartedSpool<1>

  /// Room for the keys of about as many records, in the parts in which these are.
  init(records: Int) { spool = PartedSpool(records: records) }

  mutating func add(_ key: Int64) throws(StoreError) {
    let bits = UInt64(bitPattern: key)
    try spool.add(key: bits, [bits])
  }

  func keys(ofPart part: Int) throws(StoreError) -> Set<Int64> {
    Set(try spool.records(ofPart: part) { Int64(bitPattern: $0[0]) })
  }
}
