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
  /// What the reader met last; nil before the first event.
  private(set) var event: XMLEvent?
  /// How much was met of an element that has one record for its start, its text and its end.
  private(set) var leaf = LeafProgress.none
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
    if case .endElement? = event { depth -= 1 }
    if leaf == .begun { return nextInLeaf() }
    leaf = .none
    event = nil
    place += 1
    while place >= piece.queue.records.count {
      if let failure = piece.failure { throw located(failure) }
      if piece.hasEnded { return nil }
      fill()
    }
    let record = piece.queue.records[place]
    event = record.event
    if case .startElement = record.event {
      depth += 1
      if record.isLeaf { leaf = .begun }
    }
    return event
  }

  private mutating func nextInLeaf() -> XMLEvent? {
    guard let record = current, case .startElement(let name) = record.event else { return nil }
    if event == .text || record.start == record.end {
      leaf = .none
      event = .endElement(name)
    } else {
      event = .text
    }
    return event
  }

  /// Goes on to the end of the next element, if that has a name, holds nothing but text, and is at
  /// hand; `withText` then lends the text.
  ///
  /// - Returns: false where nothing was taken, and the element may have to be read event by event.
  package mutating func takeLeaf(_ name: Int) -> Bool {
    guard leaf != .begun, place &+ 1 < piece.queue.records.count else { return false }
    let next = piece.queue.records[place &+ 1]
    guard next.isLeaf, next.event == .startElement(name) else { return false }
    // The end of this element is told as the current event, with which its depth ends.
    if case .endElement? = event {} else { depth += 1 }
    place &+= 1
    event = .endElement(name)
    leaf = .taken
    return true
  }

  /// The record of the event that `next` returned last.
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

/// How much a reader has met of an element that has one record for all of it.
enum LeafProgress {
  /// The current event is of no such element, or its end.
  case none
  /// Its start, or its start and its text.
  case begun
  /// All of it at once.
  case taken
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
