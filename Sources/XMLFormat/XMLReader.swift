import Bytes

/// A strict reader of XML from unknown sources, which yields one event after the other.
///
/// It loads nothing, substitutes no entities, repairs nothing, and accepts UTF-8, and UTF-16 that
/// says so. What the current event carries is lent until the next call of `next`.
package struct XMLReader: ~Copyable {
  /// The names of elements and attributes, by the numbers that events carry.
  package private(set) var names: XMLNames
  private var source: XMLSource
  private var decoder: DocumentDecoder
  private var parser: PushParser
  private var hasEnded = false
  /// The file that is read, for errors.
  let path: String?
  /// The finished events of the piece that was parsed last.
  private(set) var queue = EventQueue()
  private var place = -1
  /// How many elements are open; the one that starts or ends with the current event counts.
  package private(set) var depth = 0

  /// Reads a document from memory.
  package init(
    bytes: [UInt8], names: [String] = [], options: XMLOptions = XMLOptions()
  ) throws(XMLError) {
    try self.init(source: .bytes(bytes, 0), path: nil, names: names, options: options)
  }

  /// Reads a document from a file.
  package init(
    path: String, names: [String] = [], options: XMLOptions = XMLOptions()
  ) throws(XMLError) {
    let file: InputFile
    do { file = try InputFile(opening: path) } catch { throw XMLError(source: error) }
    try self.init(source: .file(file), path: path, names: names, options: options)
  }

  /// Reads a document from whatever appends its next bytes, and none at its end.
  ///
  /// What `read` throws comes out of `next` as `.inputOutput`, except an `XMLError`, which comes
  /// out as it is.
  package init(
    names: [String] = [], options: XMLOptions = XMLOptions(),
    reading read: @escaping (inout [UInt8]) throws -> Void
  ) throws(XMLError) {
    try self.init(source: .closure(read), path: nil, names: names, options: options)
  }

  private init(
    source: consuming XMLSource, path: String?, names: [String], options: XMLOptions
  ) throws(XMLError) {
    self.names = XMLNames(names)
    parser = try PushParser(options, names: self.names)
    decoder = DocumentDecoder(limit: options.limits.totalBytes)
    self.source = source
    self.path = path
  }

  /// The next event; nil after the end of a document that was whole.
  ///
  /// - Throws: what is wrong with the document, after all events that come before that place; and
  ///   again the same with each further call.
  package mutating func next() throws(XMLError) -> XMLEvent? {
    if place >= 0, place < queue.records.count, case .endElement = queue.records[place].event {
      depth -= 1
    }
    place += 1
    while place >= queue.records.count {
      if let failure = parser.failure { throw located(failure) }
      if hasEnded { return nil }
      fill()
    }
    let event = queue.records[place].event
    if case .startElement = event { depth += 1 }
    return event
  }

  /// The event that `next` returned last, with what belongs to it.
  var current: EventQueue.Record? {
    place >= 0 && place < queue.records.count ? queue.records[place] : nil
  }

  private mutating func fill() {
    queue.removeAll()
    place = 0
    do {
      hasEnded = try decoder.decode { (buffer) throws(XMLError) in
        try source.read(into: &buffer, atMost: PushParser.pieceSize)
      }
    } catch {
      parser.refuse(error)
    }
    feed()
    parser.takeEvents(into: &queue)
    if parser.nameCount > names.all.count { names = parser.names }
  }

  private mutating func feed() {
    guard decoder.isDeclarationChecked || decoder.failure != nil else { return }
    parser.feed(decoder.text)
    decoder.removeText()
    if let (code, reason) = decoder.failure {
      parser.refuse(code, reason)
    } else if hasEnded {
      parser.finish()
    }
  }

  private func located(_ error: XMLError) -> XMLError {
    var error = error
    if error.path == nil { error.path = path }
    return error
  }
}
