/// What became of the next bytes of a document.
struct ParsedPiece: Sendable {
  /// The events that the bytes finished.
  var queue = EventQueue()
  /// All names, where there are more than before.
  var names: XMLNames?
  /// What is wrong with the document behind the events.
  var failure: XMLError?
  /// Whether this is the last piece of a document that is whole.
  var hasEnded = false
}

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
  mutating func parse(into piece: inout ParsedPiece) {
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
}
