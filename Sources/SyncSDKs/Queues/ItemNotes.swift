import Bytes
import Records
import SQLite

/// An item by the name of its table or type, where that is told, and its id, byte by byte.
struct ItemName: Hashable, Sendable {
  let table: ExactText?
  let id: ExactText

  init(_ id: String, of table: String?) {
    self.table = table.map { ExactText($0) }
    self.id = ExactText(id)
  }

  fileprivate func hash(seed: UInt64) -> UInt64 {
    let seed = table.map { spelledHash($0.wrappedValue.utf8Span.span, seed: seed) } ?? seed
    return spelledHash(id.wrappedValue.utf8Span.span, seed: seed)
  }
}

/// What notes come to that several lists have of one item.
protocol ItemFacts {
  /// Where a note comes from, and what it says.
  associatedtype Source: RawRepresentable<UInt8>

  /// What no note comes to.
  init()

  /// Takes a note; those of an item come in the order in which the lists were read.
  mutating func add(_ note: ItemNotes<Self>.Note)
}

/// What several lists tell of the same items, brought together however long the lists are.
///
/// The notes of many items wait in a file, in buckets by the hash of the item, and come back a few
/// items at a time.
struct ItemNotes<Facts: ItemFacts> {
  /// What one place of a list tells of an item.
  struct Note {
    let item: ItemName
    let source: Facts.Source
    /// What a note from there has besides.
    var numbers: (Int64, Int64) = (0, 0)
  }

  private var spool = BucketSpool(most: 4 << 20)
  /// The items that are asked about, of which there may be few beside many answers.
  private var asked: HashFilter
  private let seed = UInt64.random(in: .min ... .max)
  /// Whether any item is asked about.
  private(set) var hasQuestions = false

  /// How many items come back together, or some more.
  private static var groupSize: Int { 1 << 13 }

  /// No notes yet, of which about so many ask about an item.
  init(askingAbout count: Int) { asked = HashFilter(capacity: count) }

  /// Adds a note by which its item is one of those that come back.
  mutating func ask(_ note: Note) throws(SQLiteError) {
    let hash = note.item.hash(seed: seed)
    asked.add(hash)
    hasQuestions = true
    try append(note, hash)
  }

  /// Adds a note that is left out unless its item was asked about before.
  mutating func answer(_ note: Note) throws(SQLiteError) {
    let hash = note.item.hash(seed: seed)
    if asked.mayContain(hash) { try append(note, hash) }
  }

  private mutating func append(_ note: Note, _ hash: UInt64) throws(SQLiteError) {
    do throws(FileError) {
      var entry: [UInt8] = []
      entry.append(note)
      try spool.append(entry.span, hash: hash)
    } catch {
      throw SQLiteError(error)
    }
  }

  /// Lends what the notes of each item come to, some items at a time; there may be items among them
  /// that nothing asked about.
  mutating func forEachGroup(
    _ body: ([ItemName: Facts]) throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    var group: [ItemName: Facts] = [:]
    for bucket in 0..<BucketSpool.bucketCount {
      try forEachNote(inBucket: bucket) { group[$0.item, default: Facts()].add($0) }
      guard group.count >= Self.groupSize else { continue }
      try body(group)
      group.removeAll(keepingCapacity: true)
    }
    if !group.isEmpty { try body(group) }
  }

  private mutating func forEachNote(
    inBucket bucket: Int, _ body: (Note) -> Void
  ) throws(SQLiteError) {
    do throws(FileError) {
      for piece in 0..<(try spool.pieceCount()) {
        let bytes = try spool.piece(piece, ofBucket: bucket)
        var start = 0
        while start < bytes.count {
          if let note = Note(bytes, at: &start) { body(note) }
        }
      }
    } catch {
      throw SQLiteError(error)
    }
  }
}

extension ItemNotes.Note {
  /// What is before the names: the source in a byte, and then in a word each the two numbers, one more
  /// than the size of the table's name, where 0 means none, and the size of the id.
  fileprivate static var headSize: Int { 33 }

  /// Reads an entry that `append` has made, and goes on to the next one.
  fileprivate init?(_ bytes: [UInt8], at start: inout Int) {
    let first = start
    let word = { UInt64(bigEndian: loadWord(from: bytes.span, at: first + 1 + 8 * $0)) }
    let name = { (range: Range<Int>) in String(decoding: bytes[range], as: UTF8.self) }
    let tableSize = Int(word(2))
    let table = first + Self.headSize
    let id = table + max(0, tableSize - 1)
    start = id + Int(word(3))
    guard let source = Facts.Source(rawValue: bytes[first]) else { return nil }
    self.source = source
    numbers = (Int64(bitPattern: word(0)), Int64(bitPattern: word(1)))
    item = ItemName(name(id..<start), of: tableSize == 0 ? nil : name(table..<id))
  }
}

extension [UInt8] {
  fileprivate mutating func append<Facts>(_ note: ItemNotes<Facts>.Note) {
    let table = note.item.table?.wrappedValue
    let id = note.item.id.wrappedValue
    append(note.source.rawValue)
    appendBigEndian(UInt64(bitPattern: note.numbers.0))
    appendBigEndian(UInt64(bitPattern: note.numbers.1))
    appendBigEndian(UInt64(table.map { $0.utf8.count + 1 } ?? 0))
    appendBigEndian(UInt64(id.utf8.count))
    if let table { append(table.utf8Span.span) }
    append(id.utf8Span.span)
  }
}
