import Bytes
import Records

/// Bytes that are written later than they are made: in a file without a name, so that many stores
/// need no more memory than one.
struct WaitingParts {
  private var spool: SpoolFile?
  private var size = 0

  /// Keeps bytes behind those already there.
  ///
  /// - Throws: `StoreError` when they cannot be kept.
  mutating func add(_ bytes: [UInt8]) throws(StoreError) {
    let known = spool
    spool = try storeErrors("the page cannot be set aside") { () throws(FileError) in
      let file: SpoolFile
      if let known { file = known } else { file = try SpoolFile() }
      try file.append(bytes.span)
      return file
    }
    size += bytes.count
  }

  /// Lends all bytes in pieces.
  ///
  /// - Throws: `StoreError` when they cannot be read back, or whatever `body` throws.
  func forEach(_ body: ([UInt8]) throws(StoreError) -> Void) throws(StoreError) {
    guard let spool else { return }
    var place = 0
    while place < size {
      let start = place
      let count = min(1 << 16, size - place)
      try body(
        try storeErrors("the page cannot be read back") { () throws(FileError) in
          try spool.read(at: start, count: count)
        })
      place += count
    }
  }
}
