import Bytes

/// A strict reader of XML from unknown sources, which yields one event after the other.
///
/// It loads nothing, substitutes no entities, repairs nothing, and accepts UTF-8, and UTF-16 that
/// says so. What the current event carries is lent until the next call of `next`.
package struct XMLReader: ~Copyable {
  /// The names of elements and attributes, by the numbers that events carry.
  package private(set) var names: XMLNames
  /// Parses on this thread; nil where `ahead` parses on another.
  private var here: DocumentParser?
  private var ahead: ParserThread?
  /// The piece that was parsed last.
  private(set) var piece = DocumentParser.Piece()
  /// The file that is read, for errors.
  let path: String?
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

  /// Reads a document on a thread of its own, which runs a few pieces ahead.
  ///
  /// `read` is called on that thread, and no longer once `next` has reached the end.
  package init(
    names: [String], options: XMLOptions,
    readingAhead read: @escaping @Sendable (inout [UInt8]) throws -> Void
  ) throws(XMLError) {
    self.names = XMLNames(names)
    ahead = try ParserThread(names: self.names, options: options, reading: read)
    path = nil
  }

  private init(
    source: consuming XMLSource, path: String?, names: [String], options: XMLOptions
  ) throws(XMLError) {
    self.names = XMLNames(names)
    here = try DocumentParser(source, names: self.names, options: options)
    self.path = path
  }

  /// The next event; nil after the end of a document that was whole.
  ///
  /// - Throws: what is wrong with the document, after all events that come before that place; and
  ///   again the same with each further call.
  package mutating func next() throws(XMLError) -> XMLEvent? {
    if case .endElement? = current?.event { depth -= 1 }
    place += 1
    while place >= piece.queue.records.count {
      if let failure = piece.failure { throw located(failure) }
      if piece.hasEnded { return nil }
      fill()
    }
    let event = piece.queue.records[place].event
    if case .startElement = event { depth += 1 }
    return event
  }

  /// Goes on to the text of the element that starts with the current event, if that is all that the
  /// element holds and both it and its end are at hand.
  ///
  /// - Returns: false where nothing was taken.
  package mutating func takeWholeText() -> Bool {
    let records = piece.queue.records
    guard place >= 0, place &+ 2 < records.count, case .startElement = records[place].event,
      records[place &+ 1].event == .text, case .endElement = records[place &+ 2].event
    else { return false }
    place &+= 1
    return true
  }

  /// The event that `next` returned last, with what belongs to it.
  var current: EventQueue.Record? {
    place >= 0 && place < piece.queue.records.count ? piece.queue.records[place] : nil
  }

  private mutating func fill() {
    place = 0
    here?.parse(into: &piece)
    ahead?.next(&piece)
    if let more = piece.names { names = more }
  }

  private func located(_ error: XMLError) -> XMLError {
    var error = error
    if error.path == nil { error.path = path }
    return error
  }
}

/// What a reader meets next; names are numbers, see `XMLNames`.
package enum XMLEvent: Sendable, Equatable {
  /// The start of an element, whose attributes the reader now has.
  case startElement(Int)
  case endElement(Int)
  /// A run of text, which the reader now has.
  case text
}

/// Where the bytes of a document come from.
enum XMLSource: ~Copyable {
  case bytes([UInt8], Int)
  case file(InputFile)
  /// Something that appends some bytes, and none at the end.
  case closure((inout [UInt8]) throws -> Void)

  /// Appends some more bytes, or none at the end of the document.
  mutating func read(into buffer: inout [UInt8], atMost size: Int) throws(XMLError) {
    switch consume self {
    case .bytes(let bytes, let used):
      let count = min(size, bytes.count - used)
      buffer.append(bytes.span.extracting(used..<used + count))
      self = .bytes(bytes, used + count)
    case .file(var file):
      let result = Result { () throws(FileError) in try file.read(into: &buffer, atMost: size) }
      self = .file(file)
      if case .failure(let error) = result { throw XMLError(source: error) }
    case .closure(let read):
      self = .closure(read)
      do { try read(&buffer) } catch { throw XMLError(source: error) }
    }
  }
}
