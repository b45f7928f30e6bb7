import Bytes
import Records

extension PlainSurvey {
  /// Looks at all records of a file on several threads.
  ///
  /// - Returns: nil where a piece cannot be understood by itself. Then the file is damaged, or not
  ///   what its pieces were cut for; one reader for all of it tells which.
  init?(inPieces reader: PieceReader) {
    var work = OrderedWork<RecordPiece, PlainSurvey?>(threads: PieceReader.threads) {
      // The error of a piece is found again by whoever reads the file as a whole.
      { piece, emit in _ = emit(try? reader.survey(piece)) }
    }
    var whole: PlainSurvey?
    do throws(PieceTrouble) {
      var pieces: RecordPieces
      do { pieces = try reader.openPieces() } catch { throw PieceTrouble() }
      while true {
        let piece: RecordPiece?
        do { piece = try pieces.next() } catch { throw PieceTrouble() }
        guard let piece else { break }
        try work.put(piece) { (part) throws(PieceTrouble) in try Self.add(part, to: &whole) }
      }
      try work.finish { (part) throws(PieceTrouble) in try Self.add(part, to: &whole) }
    } catch {
      return nil
    }
    guard let whole else { return nil }
    self = whole
  }

  private static func add(
    _ part: PlainSurvey?, to whole: inout PlainSurvey?
  ) throws(PieceTrouble) {
    guard let part else { throw PieceTrouble() }
    // The first piece is taken as it is.
    let isAdded = whole?.add(part)
    if isAdded == nil { whole = part }
    guard isAdded != false else { throw PieceTrouble() }
  }
}

/// Why a file cannot be read in pieces; who reads it as a whole finds the reason.
private struct PieceTrouble: Error {}
