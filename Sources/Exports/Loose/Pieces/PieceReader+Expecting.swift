import Bytes
import Formats
import Records

extension PieceReader {
  /// Looks at the beginning of a file and at stretches of the rest, which show what to expect of all
  /// its rows.
  ///
  /// - Returns: what was seen, and about how many rows there are; nil where the file ends before, or
  ///   cannot be understood, so that all of it must be looked at.
  func expectedSurvey() -> (survey: PlainSurvey, rows: Int)? {
    guard isCuttable, var pieces = try? openPieces() else { return nil }
    var expected: PlainSurvey?
    var place = 0
    while place < Self.beginning {
      // Of a file that ends here, all is soon looked at.
      guard let piece = try? pieces.next(), let seen = try? survey(piece),
        PlainSurvey.add(seen, to: &expected)
      else { return nil }
      place = piece.offset + piece.bytes.count
    }
    var size = place
    for piece in stretches(behind: place) {
      if endsText(piece) { return nil }
      // A stretch that begins inside of a record or of quotes says nothing.
      guard let seen = try? survey(piece) else { continue }
      guard PlainSurvey.add(seen, to: &expected) else { return nil }
      size += piece.bytes.count
    }
    let whole = FileStamp(of: path)?.size ?? size
    return expected.map { ($0, Int(Double($0.rows) * Double(whole) / Double(size))) }
  }

  /// How much of a file is looked at as a whole: a file that is no longer is soon read twice.
  private static var beginning: Int { 256 << 10 }
  /// How many stretches there are, and how long each may be.
  private static var stretchCount: Int { 16 }
  private static var stretchSize: Int { 64 << 10 }

  /// Whether a piece ends with the mark behind text of `COPY`, which no piece may have.
  private func endsText(_ piece: RecordPiece) -> Bool {
    let bytes = piece.bytes.reversed().drop { $0 == 0x0A || $0 == 0x0D }
    return isEscaped && bytes.starts(with: #".\"#.utf8)
  }

  /// The lines in some stretches of a file, the last of which ends where it ends.
  ///
  /// They are bytes as they lie there: of a packed file, or one in another encoding, they say nothing.
  private func stretches(behind start: Int) -> [RecordPiece] {
    guard let file = try? PositionedFile(opening: path), file.size > start else { return [] }
    let distance = (file.size - start) / Self.stretchCount
    return (1...Self.stretchCount).compactMap { number in
      let end = number == Self.stretchCount ? file.size : start + number * distance
      let first = max(end - distance, end - Self.stretchSize)
      var bytes: [UInt8] = []
      guard (try? file.read(at: first, count: end - first, appendingTo: &bytes)) != nil else {
        return nil
      }
      return lines(of: bytes, at: first, endsFile: end == file.size)
    }
  }

  /// The lines of a stretch that are whole, as far as one can tell.
  private func lines(of bytes: [UInt8], at offset: Int, endsFile: Bool) -> RecordPiece? {
    let lineEnd: UInt8 = lineEnd == .carriageReturn ? 0x0D : 0x0A
    guard let before = bytes.firstIndex(of: lineEnd), let last = bytes.lastIndex(of: lineEnd) else {
      return nil
    }
    let lines = Array(bytes[(before + 1)..<(endsFile ? bytes.count : last + 1)])
    return lines.isEmpty ? nil : RecordPiece(bytes: lines, offset: offset + before + 1, line: 1)
  }
}
