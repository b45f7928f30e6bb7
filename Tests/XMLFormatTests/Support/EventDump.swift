import XMLFormat

/// All events of a document as text, one a line, and how it ended.
struct EventDump: Equatable, Sendable {
  private(set) var lines: [String] = []
  private(set) var code: XMLError.Code?
  private(set) var reason: String?
  private(set) var line: Int?
  /// What the error says, with its line and column.
  private(set) var message: String?
  /// The line that the parser had reached at each event.
  private(set) var places: [Int] = []

  /// Reads a document whose bytes come in pieces of one size.
  init(_ bytes: [UInt8], pieces: Int = 1 << 16, _ options: XMLOptions = XMLOptions()) {
    var place = 0
    do {
      var reader = try XMLReader(options: options) { buffer in
        let end = min(bytes.count, place + pieces)
        buffer += bytes[place..<end]
        place = end
      }
      try read(&reader)
    } catch {
      note(error)
    }
  }

  /// Reads a document that a reader is ready for.
  init(_ reader: inout XMLReader) {
    do { try read(&reader) } catch { note(error) }
  }

  private mutating func read(_ reader: inout XMLReader) throws(XMLError) {
    while let event = try reader.next() {
      places.append(reader.line)
      switch event {
      case .startElement:
        var attributes: [String] = []
        for index in 0..<reader.attributeCount {
          let name = reader.names[reader.attributeName(at: index)]
          attributes.append("\(name)=\(reader.attribute(name) ?? "?")")
        }
        lines.append(
          ["start \(reader.name)", attributes.sorted().joined(separator: "\n")].joined(
            separator: "\n"))
      case .endElement:
        lines.append("end \(reader.name)")
      case .text:
        var text: [UInt8] = []
        reader.appendText(to: &text)
        lines.append("text " + String(decoding: text, as: UTF8.self))
      }
    }
  }

  /// Whether the events and the end are the same, wherever the parser had come to.
  static func == (left: EventDump, right: EventDump) -> Bool {
    (left.lines, left.code, left.reason, left.line)
      == (right.lines, right.code, right.reason, right.line)
  }

  private mutating func note(_ error: XMLError) {
    code = error.code
    reason = error.reason
    line = error.line
    message = error.message
  }
}
