extension PageFile {
  /// How many pages of a chain are read at once, in the hope that they are neighbours.
  private static let readAhead = 16

  /// Appends `count` bytes of the chain of overflow pages that starts at `first`.
  ///
  /// - Throws: `PageError` when the chain is too short or too long, leaves the file, or is longer
  ///   than the file.
  func readOverflow(
    from first: UInt32, count: Int, appendingTo bytes: inout [UInt8]
  ) throws(PageError) {
    let room = header.usableSize - 4
    var left = count
    guard left <= room * storedPageCount else {
      throw damaged(Int(first), "a value is longer than the file")
    }
    var next = first
    var pages: [UInt8] = []
    while left > 0 {
      guard next > 0, Int(next) <= storedPageCount else {
        throw damaged(Int(next), "a chain of overflow pages leads here")
      }
      let wanted = min(Self.readAhead, (left + room - 1) / room, storedPageCount - Int(next) + 1)
      pages.removeAll(keepingCapacity: true)
      try read(page: next, count: wanted, appendingTo: &pages)
      var current = next
      for index in 0..<wanted {
        let start = index * pageSize
        let taken = min(left, room)
        bytes.append(contentsOf: pages[start + 4..<start + 4 + taken])
        left -= taken
        next = word(pages.span, at: start)
        guard next == current &+ 1 else { break }
        current = next
      }
    }
    guard next == 0 else { throw damaged(Int(next), "a chain of overflow pages is too long") }
  }
}
