import Bytes
import Synchronization

/// Reads, decodes and parses a document piece by piece.
struct DocumentParser: ~Copyable {
  private var source: XMLSource
  private var decoder: DocumentDecoder
  private var parser: PushParser
  private var nameCount: Int

  /// Begins at the start of a document.
  ///
  /// - Throws: `.limit` when there is no memory for a parser.
  init(
    _ source: consuming XMLSource, names: XMLNames, options: XMLOptions
  ) throws(XMLError) {
    parser = try PushParser(options, names: names)
    decoder = DocumentDecoder(limit: options.limits.totalBytes)
    self.source = source
    nameCount = names.all.count
  }

  /// Parses the next bytes, whose events replace those of the piece.
  mutating func parse(into piece: inout DocumentParser.Piece) {
    piece.queue.removeAll()
    do {
      piece.hasEnded = try decoder.decode { (buffer) throws(XMLError) in
        try source.read(into: &buffer, atMost: PushParser.pieceSize)
      }
    } catch {
      parser.refuse(error)
    }
    feed(isLast: piece.hasEnded)
    parser.takeEvents(into: &piece.queue)
    piece.failure = parser.failure
    piece.names = nil
    guard parser.nameCount > nameCount else { return }
    nameCount = parser.nameCount
    piece.names = parser.names
  }

  private mutating func feed(isLast: Bool) {
    guard decoder.isDeclarationChecked || decoder.failure != nil else { return }
    parser.feed(decoder.text)
    decoder.removeText()
    if let (code, reason) = decoder.failure {
      parser.refuse(code, reason)
    } else if isLast {
      parser.finish()
    }
  }

  /// What became of the next bytes of a document.
  struct Piece: Sendable {
    /// The events that the bytes finished.
    var queue = EventQueue()
    /// All names, where there are more than before.
    var names: XMLNames?
    /// What is wrong with the document behind the events.
    var failure: XMLError?
    /// Whether this is the last piece of a document that is whole.
    var hasEnded = false
  }

  /// What the two threads share.
  fileprivate final class Line: Sendable {
    let pieces = Channel<DocumentParser.Piece>(capacity: 2)
    /// Queues whose events were taken, to be filled again.
    let spares = Mutex<[EventQueue]>([])

    func run(
      names: XMLNames, options: XMLOptions, reading read: @escaping (inout [UInt8]) throws -> Void
    ) {
      do throws(XMLError) {
        var parser = try DocumentParser(.closure(read), names: names, options: options)
        var isLast = false
        while !isLast {
          var piece = DocumentParser.Piece()
          if let spare = spares.withLock({ $0.popLast() }) { piece.queue = spare }
          parser.parse(into: &piece)
          isLast = piece.hasEnded || piece.failure != nil
          guard pieces.send(piece) else { break }
        }
      } catch {
        _ = pieces.send(DocumentParser.Piece(failure: error))
      }
      pieces.close()
    }
  }
}

/// A parser on a thread of its own, a few pieces ahead of who takes its events.
struct ParserThread: ~Copyable {
  private let line = DocumentParser.Line()
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
  func next(_ piece: inout DocumentParser.Piece) {
    guard let next = line.pieces.receive() else {
      piece = DocumentParser.Piece(
        failure: XMLError(.truncated, "the document was read to its end"))
      return
    }
    line.spares.withLock { $0.append(piece.queue) }
    piece = next
  }
}
