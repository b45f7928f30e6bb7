extension TarReader {
  /// Where the data of a file with holes belongs.
  struct Sparse {
    /// Offset and length of each piece, in rising order.
    private(set) var pieces: [(offset: Int, count: Int)] = []
    /// How large the file is with its holes.
    let size: Int

    /// Nobody stores more pieces; more would only take memory.
    private static let mostPieces = 1 << 20

    init(size: Int) { self.size = size }

    /// Adds a piece; false where it does not follow the others or lies beyond the file.
    mutating func add(offset: Int, count: Int) -> Bool {
      let end = offset.addingReportingOverflow(count)
      let last = pieces.last.map { $0.offset + $0.count } ?? 0
      guard offset >= last, count >= 0, !end.overflow, end.partialValue <= size,
        pieces.count < Self.mostPieces
      else { return false }
      if count > 0 { pieces.append((offset, count)) }
      return true
    }

    /// How many bytes of data the archive has.
    var stored: Int { pieces.reduce(0) { $0 + $1.count } }

    /// The pieces in a block of the old GNU form; nil where they make no sense.
    mutating func takePairs(_ block: [UInt8], at start: Int, count: Int) -> Bool {
      let span = block.span
      for pair in 0..<count {
        let place = start + 24 * pair
        guard block[place] != 0 else { return true }
        guard let offset = TarHeader.number(span.extracting(place..<place + 12)),
          let count = TarHeader.number(span.extracting(place + 12..<place + 24)),
          add(offset: offset, count: count)
        else { return false }
      }
      return true
    }
  }
}
