import Bytes
import Synchronization

/// How many values of each storage class the columns of a table have, told by the headers of its
/// records alone.
package struct StorageCensus: Sendable {
  /// What can be stored in a place of a record.
  package enum Kind: Int, Sendable, CaseIterable {
    case null
    case integer
    case real
    case text
    case blob
    /// The record ends before the column, which was added later.
    case missing
  }

  private static let kindCount = 6

  private let columnCount: Int
  /// The counts of all kinds of the first column, then of the next.
  private var counts: [Int]

  fileprivate init(columnCount: Int) {
    self.columnCount = columnCount
    counts = [Int](repeating: 0, count: columnCount * Self.kindCount)
  }

  /// How many values of a kind a column has.
  package func count(of kind: Kind, inColumn column: Int) -> Int {
    counts[column * Self.kindCount + kind.rawValue]
  }

  /// How many rows there are; each has something, or lacks it, in the first column.
  package var rowCount: Int { Kind.allCases.reduce(0) { $0 + count(of: $1, inColumn: 0) } }

  fileprivate mutating func add(_ other: StorageCensus) {
    for place in counts.indices { counts[place] += other.counts[place] }
  }
}

extension PageFile {
  /// How many bytes of leaves are read at once.
  private static let censusBytes = 256 << 10

  /// Counts the values of a table with row ids, of which each record holds `columnCount` columns at
  /// most; nil where a header is so long that it goes on elsewhere, or malformed.
  ///
  /// - Throws: `PageError` when the tree of the table contradicts itself or cannot be read.
  package func census(
    ofTableAt root: UInt32, columnCount: Int, threads: Int
  ) throws(PageError) -> StorageCensus? {
    let chunks = try leaves(ofTableAt: root).chunks(ofPages: max(1, Self.censusBytes / pageSize))
    let total = Mutex<StorageCensus?>(StorageCensus(columnCount: columnCount))
    inParallel(chunks.count, threads: threads) { index in
      var part = StorageCensus(columnCount: columnCount)
      let isWhole = part.count(chunks[index], of: self)
      total.withLock { total in
        if isWhole { total?.add(part) } else { total = nil }
      }
    }
    return total.withLock { $0 }
  }
}

extension StorageCensus {
  /// Counts the values on some leaves; false where one of them cannot be told.
  fileprivate mutating func count(_ leaves: ArraySlice<UInt32>, of file: PageFile) -> Bool {
    let sizes = PayloadSizes(usableSize: file.header.usableSize, isTable: true)
    var bytes: [UInt8] = []
    for page in leaves {
      bytes.removeAll(keepingCapacity: true)
      // What cannot be read is the matter of whoever reads the rows.
      guard (try? file.read(page: page, appendingTo: &bytes)) != nil,
        let header = PageHeader(
          bytes.span, start: 0, page: page, usableSize: sizes.usableSize),
        header.kind == .tableLeaf
      else { return false }
      for index in 0..<header.cellCount {
        let offset = header.cell(index, in: bytes.span, start: 0)
        guard let cell = BTreeCell(bytes.span, at: offset, kind: .tableLeaf, sizes: sizes),
          countRecord(bytes.span, cell.local)
        else { return false }
      }
    }
    return true
  }

  private mutating func countRecord(_ bytes: Span<UInt8>, _ local: Range<Int>) -> Bool {
    var position = local.lowerBound
    guard let headerSize = varint(bytes, at: &position), headerSize <= UInt64(local.count) else {
      return false
    }
    let end = local.lowerBound + Int(truncatingIfNeeded: headerSize)
    var place = 0
    for _ in 0..<columnCount {
      guard position < end else {
        counts[place &+ Kind.missing.rawValue] &+= 1
        place &+= Self.kindCount
        continue
      }
      guard let type = varint(bytes, at: &position), let kind = Self.kind(of: type) else {
        return false
      }
      counts[place &+ kind.rawValue] &+= 1
      place &+= Self.kindCount
    }
    return true
  }

  @inline(__always)
  private static func kind(of type: UInt64) -> Kind? {
    switch type {
    case 0: .null
    case 7: .real
    case 1...6, 8, 9: .integer
    case 10, 11: nil
    default: type & 1 == 0 ? .blob : .text
    }
  }
}
