package import Bytes

/// The content hash of a store: over its tables, queue and tokens, not over its layout.
package struct ContentHash: Sendable {
  private var tables: [(name: String, digest: SHA256Digest)] = []
  private var parts: [BookkeepingTable: SHA256Digest] = [:]

  /// The parts of the bookkeeping that belong to the content, in the order in which they count.
  package static let parts: [BookkeepingTable] = [.operations, .errors, .tokens]

  /// Begins the hash of a store without tables and with an empty queue.
  package init() {}

  /// Adds a table of the app.
  package mutating func add(_ digest: SHA256Digest, ofTable name: String) {
    tables.append((name, digest))
  }

  /// Adds a part of the bookkeeping; what is no part of the content is left out.
  package mutating func add(_ digest: SHA256Digest, of part: BookkeepingTable) {
    if Self.parts.contains(part) { parts[part] = digest }
  }

  /// The hash of what was added so far.
  package var digest: SHA256Digest {
    var bytes: [UInt8] = []
    let mark = "rehome store 1".utf8
    bytes.appendBigEndian(UInt32(mark.count))
    bytes.append(contentsOf: mark)
    bytes.appendBigEndian(UInt32(tables.count))
    let sorted = tables.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    for table in sorted { bytes.append(contentsOf: table.digest.bytes) }
    for part in Self.parts {
      bytes.append(contentsOf: (parts[part] ?? TableHash(of: part.table).digest).bytes)
    }
    var hash = SHA256()
    hash.update(bytes.span)
    return hash.finish()
  }
}
