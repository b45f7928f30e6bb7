import CLibXML2

/// The C parser with the state it works on, fed piece by piece.
///
/// It gets UTF-8 only and looks at no declared encoding.
@safe
struct PushParser: ~Copyable {
  private let context: xmlParserCtxtPtr
  private let state: UnsafeMutablePointer<ParserState>
  private var tagWatch: TagWatch
  /// What the parser is given at once; also bounds how far it can run ahead of the limits.
  static let pieceSize = 1 << 16

  /// Makes a parser.
  ///
  /// - Throws: `.limit` when there is no memory for one.
  init(_ options: XMLOptions, names: XMLNames) throws(XMLError) {
    libraryIsReady
    let state = UnsafeMutablePointer<ParserState>.allocate(capacity: 1)
    unsafe state.initialize(to: ParserState(options, names: names))
    var handler = unsafe makeSAXHandler()
    // The handler is copied by the call; the state's address stays valid until `deinit`.
    guard let context = unsafe xmlCreatePushParserCtxt(&handler, state, nil, 0, nil) else {
      unsafe state.deinitialize(count: 1)
      unsafe state.deallocate()
      throw XMLError(.limit, "there is no memory for a parser")
    }
    var flags = XML_PARSE_NONET.rawValue | XML_PARSE_IGNORE_ENC.rawValue
    // Without this the library has its own bound for depth.
    if options.allowsHugeValues || options.limits.depth > 256 { flags |= XML_PARSE_HUGE.rawValue }
    unsafe xmlCtxtUseOptions(context, Int32(flags))
    unsafe state.pointee.context = unsafe context
    unsafe self.context = unsafe context
    unsafe self.state = unsafe state
    tagWatch = TagWatch(options.limits)
  }

  deinit {
    // Nothing else owns any of these; a document exists only if a declaration was met.
    unsafe xmlFreeDoc(context.pointee.myDoc)
    unsafe context.pointee.myDoc = nil
    unsafe xmlFreeParserCtxt(context)
    unsafe state.deinitialize(count: 1)
    unsafe state.deallocate()
  }

  /// Makes a parser that goes on where a scanner stopped.
  ///
  /// - Throws: `.limit` when there is no memory for one.
  init(_ options: XMLOptions, goingOnAfter scanner: borrowing MarkupScanner) throws(XMLError) {
    // A name of a tag that is not taken is none yet.
    var names = scanner.names.all
    names.remove(from: scanner.takenNames)
    try self.init(options, names: names)
    guard let root = scanner.root else { return }
    // The parser meets what is open, each at its line, which it tells where a wrong tag ends it.
    feed(Array("<?xml version=\"1.0\"?>".utf8))
    var declarations: [UInt8] = []
    for namespace in scanner.names.namespaces {
      declarations += " xmlns:".utf8 + namespace.prefix + "='".utf8 + namespace.address + "'".utf8
    }
    for (depth, element) in scanner.open.enumerated() {
      unsafe context.pointee.input?.pointee.line = element.line
      let name = Array("<".utf8) + scanner.names.spelling(of: element.name)
      feed(name + (depth == 0 ? declarations : []) + ">".utf8)
    }
    if scanner.isComplete {
      feed(Array("<".utf8) + scanner.names.spelling(of: root) + declarations + "/>".utf8)
    }
    let depth = scanner.open.count
    let isThere = unsafe !hasFailed && state.pointee.builder.depth == depth
    unsafe state.pointee.take(scanner)
    if !isThere { refuse(.limit, "the parser cannot go on in the middle") }
  }

  /// What went wrong, which comes after all events made so far.
  var failure: XMLError? { unsafe state.pointee.builder.failure }

  private var hasFailed: Bool { unsafe state.pointee.builder.hasFailed }

  /// The numbers of the names met so far.
  var names: XMLNames { unsafe state.pointee.names }

  var nameCount: Int { unsafe state.pointee.names.all.count }

  /// Parses text, in pieces of at most `pieceSize` bytes.
  mutating func feed(_ text: [UInt8]) {
    let span = text.span
    var start = 0
    while start < span.count {
      let end = min(span.count, start + Self.pieceSize)
      feed(piece: span.extracting(start..<end))
      start = end
    }
  }

  private mutating func feed(piece: Span<UInt8>) {
    guard !hasFailed else { return }
    // The bytes are the span's, and the parser copies what it keeps.
    _ = unsafe piece.withUnsafeBytes { bytes in
      unsafe xmlParseChunk(
        context, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count), 0)
    }
    guard !hasFailed else { return }
    let elements = unsafe state.pointee.builder.elementCount
    let excess = unsafe state.pointee.withPending { tagWatch.excess(in: $0, after: elements) }
    if let reason = excess ?? nil { unsafe state.pointee.refuse(.limit, reason) }
  }

  /// Tells the parser that there is no more, and checks that the document is whole.
  mutating func finish() {
    guard !hasFailed else { return }
    let hasText = unsafe state.pointee.hasTextAfterDocument
    let eventCount = unsafe state.pointee.builder.queue.records.count
    let (line, column) = unsafe (Int(state.pointee.line), state.pointee.column)
    // The context stays valid until it is freed in `deinit`.
    _ = unsafe xmlParseChunk(context, nil, 0, 1)
    let isWellFormed = unsafe context.pointee.wellFormed == 1
    let isComplete = unsafe state.pointee.builder.isComplete
    if !hasFailed, isWellFormed, isComplete { return }
    // What the parser makes of a tag without end is no event.
    unsafe state.pointee.builder.removeEvents(after: eventCount)
    if let failure, [.limit, .doctype, .entity].contains(failure.code) { return }
    let failedInLastTag = unsafe state.pointee.failedInLastTag
    if hasText {
      replaceFailure(.notWellFormed, line, column, "something follows the document")
    } else if !hasFailed || failedInLastTag {
      replaceFailure(.truncated, line, column, "the document ends early")
    }
  }

  private mutating func replaceFailure(
    _ code: XMLError.Code, _ line: Int, _ column: Int, _ reason: String
  ) {
    unsafe state.pointee.builder.replaceFailure(
      XMLError(code, line: line, column: column, reason))
  }

  /// Ends the parse with an error at the place that the parser has reached.
  mutating func refuse(_ code: XMLError.Code, _ reason: String) {
    unsafe state.pointee.refuse(code, reason)
  }

  /// Ends the parse because there are no more bytes to be had.
  mutating func refuse(_ error: XMLError) {
    unsafe state.pointee.builder.refuse(error)
  }

  /// Exchanges the finished events for an empty queue.
  mutating func takeEvents(into taken: inout EventQueue) {
    unsafe state.pointee.builder.takeEvents(into: &taken)
  }
}

/// The library's own tables, set up once whatever thread comes first.
private let libraryIsReady: Void = xmlInitParser()
