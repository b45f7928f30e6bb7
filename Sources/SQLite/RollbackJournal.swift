import Bytes

/// Why the engine cannot undo all of a change that was not finished.
package enum JournalTrouble: Sendable, Equatable {
  /// It is no plain file, as a link is none, so that nothing is undone.
  case notPlain
  /// The journal does not begin as one, so that nothing is undone.
  case notAJournal
  /// It has fewer pages than it says, or zeros where more of them would be.
  case cutOff
  /// A page, counted from 1, is not what its checksum says, or none that the database had.
  case damagedPage(Int)
  /// It has more pages than it says.
  case hasMorePages
  /// The database cannot have been as large as it says, or its parts say it otherwise.
  case strangeSize
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
  /// The database, whose name the journal has but for its ending.
  private let store: String
  /// The first part, which says how large all is.
  private var first: Part?
  /// The greatest number of a page that the engine takes, and how many it takes.
  private var lastPage = 0
  private var takenPages = 0
  /// Whether the engine has come to a page at which it stops.
  private var isAtEnd = false

  /// Reads the journal at `path` as the engine would.
  init(ofFileAt path: String) throws(FileError) {
    file = try PositionedFile(opening: path)
    store = String(path.dropLast("-journal".count))
    try read(path)
  }

  private mutating func read(_ path: String) throws(FileError) {
    let start = try bytes(at: 0, min(Part.headerSize, file.size))
    // A journal whose change has ended is emptied, or its header is overwritten with zeros. Where its
    // pages have not reached the disk, their count and what stands before it are zeros still, and none
    // of them has been changed.
    isEnded = start.prefix(Self.magic.count + 4).allSatisfy { $0 == 0 }
    guard !isEnded else { return }
    guard start.starts(with: Self.magic) else { return tell(.notAJournal) }
    guard start.count == Part.headerSize else { return tell(.cutOff) }
    guard let first = Part(start, pageSizeOfStore: try pageSizeOfStore()) else {
      return tell(.notAJournal)
    }
    // The engine uses nothing where a change of several databases seems to be finished.
    let named = try SuperJournal(namedByFileAt: path)
    guard named?.isThere(beside: path) ?? true else { return tell(.lacksSuperJournal) }
    self.first = first
    try goThrough(from: first)
    if try size() != nil { tell(.strangeSize) }
  }

  /// Of several troubles the first is told.
  private mutating func tell(_ trouble: JournalTrouble) { self.trouble = self.trouble ?? trouble }

  /// Goes through the parts, of which the first alone must be there.
  private mutating func goThrough(from first: Part) throws(FileError) {
    var part = first
    var pages = 0
    while true {
      let fitting = max(0, file.size - part.firstRecord) / part.recordSize
      let count = part.recordCount ?? fitting
      if let bad = try firstBadRecord(of: min(count, fitting), in: part) {
        tell(.damagedPage(pages + bad + 1))
      }
      if isAtEnd { return }
      guard count <= fitting else { return tell(.cutOff) }
      if count < fitting, try part.use(of: record(count, of: part)) == .taken {
        tell(.hasMorePages)
      }
      pages += count
      let place = part.end(after: count)
      guard let next = try header(at: place) else {
        if try endsInZeros(behind: part, at: place) { tell(.cutOff) }
        return
      }
      guard place + part.sectorSize <= file.size else { return tell(.cutOff) }
      part = Part(next, at: place, like: part)
      if !part.saysSize(of: next) { tell(.strangeSize) }
    }
  }

  /// What a later part begins with; behind the last one may lie what is left of a longer journal.
  private func header(at place: Int) throws(FileError) -> [UInt8]? {
    guard place + Part.headerSize <= file.size else { return nil }
    let header = try bytes(at: place, Part.headerSize)
    return header.starts(with: Self.magic) ? header : nil
  }

  /// Whether there are only zeros where another part would be, as no engine leaves them: what is left
  /// of a longer journal was written once.
  private func endsInZeros(behind part: Part, at place: Int) throws(FileError) -> Bool {
    guard place + part.sectorSize + part.recordSize <= file.size else { return false }
    for start in stride(from: place, to: file.size, by: 1 << 16) {
      let piece = try bytes(at: start, min(1 << 16, file.size - start))
      guard piece.allSatisfy({ $0 == 0 }) else { return false }
    }
    return true
  }

  /// The size of pages that the engine takes where nothing says one.
  private static let usualPageSize = 4096

  /// The size that the engine takes for that of the pages where the journal does not say it.
  private func pageSizeOfStore() throws(FileError) -> Int {
    // Beside a store that is lost, none is undone.
    guard Paths.exists(store) else { return 0 }
    let start = try readPrefix(of: store, count: DatabaseHeader.size)
    return DatabaseHeader(parsing: start.span)?.pageSize ?? Self.usualPageSize
  }

  /// The place of the first page that the engine does not take, among so many.
  ///
  /// It leaves out pages that the database did not have, and stops at all others. Where a journal does
  /// not count its pages, as without waiting for the disk, they end with one that is not whole; damage
  /// is what has a whole one behind it, or none before it.
  private mutating func firstBadRecord(
    of count: Int, in part: Part
  ) throws(FileError) -> Int? {
    var bad: Int?
    var isDamage = part.recordCount != nil
    for number in 0..<count {
      let record = try record(number, of: part)
      switch part.use(of: record) {
      case .taken:
        if !isAtEnd { note(record) }
        isDamage = isDamage || bad != nil
      case .leftOut: bad = bad ?? number
      case .ending:
        bad = bad ?? number
        isAtEnd = true
      }
      if isAtEnd, isDamage { break }
    }
    return isDamage || bad == 0 ? bad : nil
  }

  /// Of two records of the first page the former has what was there before the change.
  private mutating func note(_ record: [UInt8]) {
    lastPage = max(lastPage, Int(Part.number(record, 0)))
    takenPages += 1
    guard header == nil, record.prefix(4).elementsEqual([0, 0, 0, 1]) else { return }
    let page = Array(record.dropFirst(4).prefix(DatabaseHeader.size))
    header = DatabaseHeader(parsing: page.span)
  }

  private func bytes(at place: Int, _ count: Int) throws(FileError) -> [UInt8] {
    var bytes: [UInt8] = []
    try file.read(at: place, count: count, appendingTo: &bytes)
    return bytes
  }

  private func record(_ number: Int, of part: Part) throws(FileError) -> [UInt8] {
    try bytes(at: part.firstRecord + number * part.recordSize, part.recordSize)
  }

  /// A header, and the pages behind it.
  private struct Part {
    static let headerSize = 28

    /// What the engine does with a page, at the last of which it stops.
    enum Use { case taken, leftOut, ending }

    /// How many pages follow; nil where that is not counted.
    let recordCount: Int?
    let sectorSize: Int
    /// Where the pages begin.
    let firstRecord: Int
    let pageSize: Int
    private let nonce: UInt32
    /// How many pages the database had before.
    let pageCount: Int

    /// The first part; nil where the engine does not take the sizes.
    init?(_ header: [UInt8], pageSizeOfStore: Int) {
      let sizes = (sector: Int(Self.number(header, 20)), page: Int(Self.number(header, 24)))
      let pageSize = sizes.page == 0 ? pageSizeOfStore : sizes.page
      guard (32...65536).contains(sizes.sector), sizes.sector & (sizes.sector - 1) == 0,
        (512...65536).contains(pageSize), pageSize & (pageSize - 1) == 0
      else { return nil }
      self.init(
        header, 0, sectorSize: sizes.sector, pageSize: pageSize,
        pageCount: Int(Self.number(header, 16)))
    }

    /// A later part, whose sizes are those of the first whatever it says.
    init(_ header: [UInt8], at place: Int, like part: Self) {
      self.init(
        header, place, sectorSize: part.sectorSize, pageSize: part.pageSize,
        pageCount: part.pageCount)
    }

    private init(
      _ header: [UInt8], _ place: Int, sectorSize: Int, pageSize: Int, pageCount: Int
    ) {
      let count = Self.number(header, 8)
      recordCount = count == .max ? nil : Int(count)
      nonce = Self.number(header, 12)
      self.sectorSize = sectorSize
      self.pageSize = pageSize
      self.pageCount = pageCount
      firstRecord = place + sectorSize
    }

    /// A page stands between its number and its checksum.
    var recordSize: Int { pageSize + 8 }

    /// Where the next part begins, in a sector of its own.
    func end(after count: Int) -> Int {
      (firstRecord + count * recordSize + sectorSize - 1) / sectorSize * sectorSize
    }

    /// Whether a header says what the first one does of the size of the database.
    func saysSize(of header: [UInt8]) -> Bool { Int(Self.number(header, 16)) == pageCount }

    /// How many pages a file has, the last of which may be begun.
    func pages(ofFileOfSize size: Int) -> Int { (size + pageSize - 1) / pageSize }

    func use(of record: [UInt8]) -> Use {
      let page = Self.number(record, 0)
      guard page > 0 else { return .ending }
      guard page <= pageCount else { return .leftOut }
      var sum = nonce
      // The sum is over every two hundredth byte from the end.
      for place in stride(from: pageSize - 200, to: 0, by: -200) {
        sum &+= UInt32(record[4 + place])
      }
      return Self.number(record, pageSize + 4) == sum ? .taken : .ending
    }

    static func number(_ bytes: [UInt8], _ offset: Int) -> UInt32 {
      (0..<4).reduce(0) { $0 << 8 | UInt32(bytes[offset + $1]) }
    }
  }
}

extension RollbackJournal {
  /// The number of pages that the database can have had at most, where the journal says more; no disk
  /// may hold a file of so many.
  private func size() throws(FileError) -> Int? {
    guard let first, Paths.exists(store) else { return nil }
    let there = first.pages(ofFileOfSize: try PositionedFile(opening: store).size)
    guard first.pageCount > there else { return nil }
    // A first page of which the journal has none is as it was before.
    let start = try readPrefix(of: store, count: DatabaseHeader.size)
    let said = (header ?? DatabaseHeader(parsing: start.span))?.pageCount ?? 0
    // The checksum of a page says nothing of its number.
    let most = max(there, said, lastPage - there <= takenPages ? lastPage : 0)
    return first.pageCount > most ? most : nil
  }

  /// The pages that a database had before a change that was not finished, and its file has no longer;
  /// those of them that the journal has come back.
  static func missingPages(ofFileAt path: String) throws(FileError) -> MissingPages {
    guard try saysMuch(path) else { return .none }
    let journal = try RollbackJournal(ofFileAt: path)
    guard !journal.isEnded, let first = journal.first else { return .none }
    return MissingPages(
      behindFileOf: try PositionedFile(opening: journal.store).size, pageSize: first.pageSize,
      count: try journal.size() ?? first.pageCount)
  }

  /// Lets the copy of a journal that says of its database what cannot be say what can.
  static func limitSize(inFileAt copy: String, asOf path: String) throws(FileError) {
    guard try saysMuch(path), let size = try RollbackJournal(ofFileAt: path).size() else { return }
    let bytes = (0..<4).map { UInt8(truncatingIfNeeded: size >> (24 - 8 * $0)) }
    try GrowingFile(opening: copy).replace(at: 16, with: bytes.span)
  }

  /// Whether a journal says more pages than there are, as few do; only those are read for it.
  private static func saysMuch(_ path: String) throws(FileError) -> Bool {
    let start = try readPrefix(of: path, count: Part.headerSize)
    let store = String(path.dropLast("-journal".count))
    guard start.count == Part.headerSize, Paths.exists(store) else { return false }
    let pageSize = max(1, Int(Part.number(start, 24)))
    return Int(Part.number(start, 16)) > (try PositionedFile(opening: store).size) / pageSize
  }
}
