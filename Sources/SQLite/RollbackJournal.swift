import Bytes

/// Why the engine cannot undo all of a change that was not finished.
package enum JournalTrouble: Sendable, Equatable {
  /// It is no plain file, as a link is none, so that nothing is undone.
  case notPlain
  /// The journal does not begin as one, so that nothing is undone.
  case notAJournal
  /// It has fewer pages than it says.
  case cutOff
  /// A page, counted from 1, is not what its checksum says, or none that the database had.
  case damagedPage(Int)
  /// It is of a change of several databases, and the file is gone that was there while that was not
  /// finished.
  case lacksSuperJournal
}

/// A rollback journal: parts of a header and the pages that follow it, each as it was before.
struct RollbackJournal {
  /// What each part begins with, and the record ends with that names a super-journal.
  static let magic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]

  /// Why the engine cannot undo all of the change; nil where the journal comes to an honest end.
  private(set) var trouble: JournalTrouble?
  /// Whether nothing is to be undone, as where the change has ended.
  private(set) var isEnded = false
  /// What the first page begins with when the change is undone; nil where the journal has no such page.
  private(set) var header: DatabaseHeader?
  private let file: PositionedFile

  /// Reads the journal at `path` as the engine would.
  init(ofFileAt path: String) throws(FileError) {
    file = try PositionedFile(opening: path)
    let named = try SuperJournal(namedByFileAt: path)
    trouble = try findTrouble(isFinished: named.map { !$0.isThere(beside: path) } ?? false)
  }

  /// Goes through the parts, of which the first alone must be there; the engine uses none of them
  /// where a change of several databases seems to be finished.
  private mutating func findTrouble(isFinished: Bool) throws(FileError) -> JournalTrouble? {
    let start = try bytes(at: 0, min(Header.size, file.size))
    // A journal whose change has ended is emptied, or its header is overwritten with zeros. Where its
    // pages have not reached the disk, their count and what stands before it are zeros still, and none
    // of them has been changed.
    isEnded = start.prefix(Self.magic.count + 4).allSatisfy { $0 == 0 }
    guard !isEnded else { return nil }
    guard start.starts(with: Self.magic) else { return .notAJournal }
    guard start.count == Header.size else { return .cutOff }
    guard var header = Header(start) else { return .notAJournal }
    guard !isFinished else { return .lacksSuperJournal }
    var place = 0
    var pages = 0
    while true {
      let first = place + header.sectorSize
      let fitting = max(0, file.size - first) / header.recordSize
      let count = header.recordCount ?? fitting
      if let bad = try firstBadRecord(of: min(count, fitting), at: first, header) {
        return .damagedPage(pages + bad + 1)
      }
      guard count <= fitting else { return .cutOff }
      pages += count
      // Behind the last part may lie what is left of a longer journal.
      place = header.sectorEnd(from: first + count * header.recordSize)
      guard place + header.sectorSize <= file.size,
        let next = Header(try bytes(at: place, Header.size))
      else { return nil }
      header = next
    }
  }

  /// The place of the first page that the engine does not take, among so many.
  ///
  /// Where a journal does not count its pages, as without waiting for the disk, they end with one
  /// that is not whole; damage is what has a whole one behind it.
  private mutating func firstBadRecord(
    of count: Int, at first: Int, _ header: Header
  ) throws(FileError) -> Int? {
    var bad: Int?
    for number in 0..<count {
      let record = try bytes(at: first + number * header.recordSize, header.recordSize)
      if header.takes(record) {
        if bad != nil { return bad }
        noteFirstPage(in: record)
      } else {
        bad = bad ?? number
        if header.recordCount != nil { return bad }
      }
    }
    return nil
  }

  /// Of two records of the first page the former has what was there before the change.
  private mutating func noteFirstPage(in record: [UInt8]) {
    guard header == nil, record.prefix(4).elementsEqual([0, 0, 0, 1]) else { return }
    let page = Array(record.dropFirst(4).prefix(DatabaseHeader.size))
    header = DatabaseHeader(parsing: page.span)
  }

  private func bytes(at place: Int, _ count: Int) throws(FileError) -> [UInt8] {
    var bytes: [UInt8] = []
    try file.read(at: place, count: count, appendingTo: &bytes)
    return bytes
  }

  private struct Header {
    static let size = 28

    /// How many pages follow; nil where that is not counted.
    let recordCount: Int?
    let sectorSize: Int
    private let pageSize: Int
    private let nonce: UInt32
    /// How many pages the database had before.
    private let pageCount: UInt32

    init?(_ bytes: [UInt8]) {
      guard bytes.starts(with: RollbackJournal.magic) else { return nil }
      let count = Self.number(bytes, 8)
      recordCount = count == .max ? nil : Int(count)
      nonce = Self.number(bytes, 12)
      pageCount = Self.number(bytes, 16)
      sectorSize = Int(Self.number(bytes, 20))
      pageSize = Int(Self.number(bytes, 24))
      guard (32...65536).contains(sectorSize), sectorSize & (sectorSize - 1) == 0,
        (512...65536).contains(pageSize), pageSize & (pageSize - 1) == 0
      else { return nil }
    }

    /// A page stands between its number and its checksum.
    var recordSize: Int { pageSize + 8 }

    /// Where the sector ends in which something ends.
    func sectorEnd(from place: Int) -> Int { (place + sectorSize - 1) / sectorSize * sectorSize }

    /// Whether the engine takes a page.
    func takes(_ record: [UInt8]) -> Bool {
      let page = Self.number(record, 0)
      var sum = nonce
      // The sum is over every two hundredth byte from the end.
      for place in stride(from: pageSize - 200, to: 0, by: -200) {
        sum &+= UInt32(record[4 + place])
      }
      return page > 0 && page <= pageCount && Self.number(record, pageSize + 4) == sum
    }

    private static func number(_ bytes: [UInt8], _ offset: Int) -> UInt32 {
      (0..<4).reduce(0) { $0 << 8 | UInt32(bytes[offset + $1]) }
    }
  }
}
