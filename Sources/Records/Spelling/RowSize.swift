/// How much room the rows of a table take at most, whatever they are spelled as.
@frozen
@usableFromInline
package struct RowSize: Sendable {
  /// What a row takes beside the bytes of its texts and blobs.
  @usableFromInline let fixed: Int
  /// What each of these bytes takes at most.
  @usableFromInline let growth: Int

  /// Up to so many bytes of a row may have room for the worst that can be in them.
  @usableFromInline static var guessedBytes: Int { 1 << 12 }

  /// Rows that take so much beside their bytes, and so much for each byte.
  package init(fixed: Int, growth: Int) {
    self.fixed = fixed
    self.growth = growth
  }

  /// How many bytes one row takes at most; in a long one, `exact` looks at what each cell takes.
  @inlinable
  @inline(__always)
  package func maximum(of row: Span<Cell>, exact: (Cell) -> Int) -> Int {
    var bytes = 0
    for place in row.indices { bytes &+= Int(row[place].length) }
    if bytes <= Self.guessedBytes { return fixed &+ bytes &* growth }
    var size = fixed
    for place in row.indices { size &+= exact(row[place]) }
    return size
  }
}
