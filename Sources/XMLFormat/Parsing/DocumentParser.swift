import Bytes
import Synchronization

/// Reads, decodes and parses a document piece by piece.
///
/// A scanner of our own reads plain markup. At the first place that is anything else the library
/// takes over, to the end of the document: it alone decides what is wrong with one.
struct DocumentParser: ~Copyable {
  private var source: XMLSource
  private var decoder: DocumentDecoder
  private let options: XMLOptions
  /// Nil once the library has taken over.
  private var scanner: MarkupScanner?
  private var parser: PushParser?
  /// Why there is no parser.
  private var failure: XMLError?
  private var nameCount: Int

  /// Begins at the start of a document.
  ///
  /// - Throws: `.limit` when there is no memory for a parser.
  init(
    _ source: consuming XMLSource, names: XMLNames, options: XMLOptions
  ) throws(XMLError) {
    decoder = DocumentDecoder(limit: options.limits.totalBytes)
    self.source = source
    self.options = options
    nameCount = names.all.count
    scanner = options.scansPlainMarkup ? MarkupScanner(options, names: names) : nil
    parser = options.scansPlainMarkup ? nil : try PushParser(options, names: names)
  }

  /// Parses the next bytes, whose events replace those of the piece.
  mutating func parse(into piece: inout DocumentParser.Piece) {
    piece.queue.removeAll()
    var trouble: XMLError?
    do {
      piece.hasEnded = try decoder.decode { (buffer) throws(XMLError) in
        try source.read(into: &buffer, atMost: PushParser.pieceSize)
      }
    } catch {
      trouble = error
    }
    if trouble != nil || decoder.isDeclarationChecked || decoder.failure != nil {
      scan(isLast: piece.hasEnded, isInTrouble: trouble != nil || decoder.failure != nil)
      feed(isLast: piece.hasEnded, trouble)
    }
    if parser == nil {
      scanner?.builder.takeEvents(into: &piece.queue)
    } else {
      parser?.takeEvents(into: &piece.queue)
    }
    piece.failure = parser?.failure ?? failure
    piece.names = nil
    takeNames(into: &piece)
  }

  /// Scans what there is, as far as it is plain; the library takes over where more is wanted.
  private mutating func scan(isLast: Bool, isInTrouble: Bool) {
    guard let used = scanText(isLast: isLast || isInTrouble), let isOdd = scanner?.isAtOddity else {
      return
    }
    scanner?.builder.keep(used, of: &decoder.text)
    let isDone = scanner?.isComplete == true && decoder.text.isEmpty
    guard isOdd || isInTrouble || isLast && !isDone, let stopped = scanner.take() else { return }
    do { parser = try PushParser(options, goingOnAfter: stopped) } catch { failure = error }
  }

  private mutating func scanText(isLast: Bool) -> Int? {
    // A second reference, because a span of the decoder's would keep all of this value occupied.
    let text = decoder.text
    return scanner?.scan(text.span, isLast: isLast)
  }

  private mutating func feed(isLast: Bool, _ trouble: XMLError?) {
    guard parser != nil else { return }
    if let trouble { parser?.refuse(trouble) }
    parser?.feed(decoder.text)
    decoder.text.removeAll(keepingCapacity: true)
    if let (code, reason) = decoder.failure {
      parser?.refuse(code, reason)
    } else if isLast {
      parser?.finish()
    }
  }

  private mutating func takeNames(into piece: inout DocumentParser.Piece) {
    let count = parser?.nameCount ?? scanner?.takenNames ?? 0
    guard count > nameCount else { return }
    nameCount = count
    piece.names = parser?.names ?? scanner?.names.all
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
