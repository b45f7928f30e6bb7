import Bytes
import Synchronization

/// A parser on a thread of its own, a few pieces ahead of who takes its events.
struct ParserThread: ~Copyable {
  private let line = ParserLine()
  private let thread: WorkThread?

  /// Begins to parse what `read` appends, as `XMLReader` does.
  ///
  /// - Throws: `.limit` when the system gives no thread.
  init(
    names: XMLNames, options: XMLOptions,
    reading read: @escaping @Sendable (inout [UInt8]) throws -> Void
  ) throws(XMLError) {
    let line = line
    thread = WorkThread { line.run(names: names, options: options, reading: read) }
    guard thread != nil else { throw XMLError(.limit, "the system gives no thread") }
  }

  deinit {
    line.pieces.close()
    thread?.join()
  }

  /// Exchanges a piece that is done with for the next one; nothing follows the last.
  func next(_ piece: inout ParsedPiece) {
    guard let next = line.pieces.receive() else {
      piece = ParsedPiece(failure: XMLError(.truncated, "the document was read to its end"))
      return
    }
    line.spares.withLock { $0.append(piece.queue) }
    piece = next
  }
}

/// What the two threads share.
private final class ParserLine: Sendable {
  let pieces = Channel<ParsedPiece>(capacity: 2)
  /// Queues whose events were taken, to be filled again.
  let spares = Mutex<[EventQueue]>([])

  func run(
    names: XMLNames, options: XMLOptions, reading read: @escaping (inout [UInt8]) throws -> Void
  ) {
    do throws(XMLError) {
      var parser = try DocumentParser(.closure(read), names: names, options: options)
      var isLast = false
      while !isLast {
        var piece = ParsedPiece()
        if let spare = spares.withLock({ $0.popLast() }) { piece.queue = spare }
        parser.parse(into: &piece)
        isLast = piece.hasEnded || piece.failure != nil
        guard pieces.send(piece) else { break }
      }
    } catch {
      _ = pieces.send(ParsedPiece(failure: error))
    }
    pieces.close()
  }
}
