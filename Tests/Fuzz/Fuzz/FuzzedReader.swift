import Bytes
import Formats
import XMLFormat

/// The readers of untrusted bytes; each must end, whatever the bytes, with a value or an error.
enum FuzzedReader: String, CaseIterable {
  /// Binary and XML property lists.
  case list
  /// Keyed archives.
  case archive
  /// Deflate and gzip with a limit.
  case deflate
  /// JSON as a whole and token by token.
  case json
  /// Records of CSV, in every dialect and encoding.
  case csv
  /// Events of XML.
  case xml
  /// The payload of an operation in a sync SDK's queue.
  case payload
  /// The model file that a Core Data store is read with.
  case model
  /// A database, whatever its layout.
  case store
  /// A sample with other bytes in some places of its pages or of its log.
  case pages
  /// A sample with other values, tables and columns.
  case rows
  /// An export in one file, or a plain file.
  case document
  /// The manifest of a bundle.
  case manifest

  /// Reads the bytes and forgets what they said.
  func read(_ bytes: [UInt8]) {
    switch self {
    case .list:
      ignoringErrors {
        try PropertyList(parsing: bytes, limits: Self.limits).json(maxNodes: 10_000)
      }
      ignoringErrors { try XMLPropertyList(parsing: bytes) }
    case .archive:
      ignoringErrors {
        try KeyedArchive(parsing: bytes, limits: Self.limits).decodedJSON(limits: Self.limits)
      }
    case .deflate: readPacked(bytes)
    case .json: readJSON(bytes)
    case .csv: readCSV(bytes)
    case .xml: readXML(bytes)
    case .payload: StoreRun.shared.readPayload(bytes)
    case .model: StoreRun.shared.readModel(bytes)
    case .store: StoreRun.shared.readFile(bytes, ["hash", "audit"])
    case .pages: StoreRun.shared.readPages(bytes)
    case .rows: StoreRun.shared.readRows(bytes)
    case .document: StoreRun.shared.readFile(bytes, ["hash"])
    case .manifest: StoreRun.shared.readManifest(bytes)
    }
  }

  /// Small enough that passing one is quick and found early.
  private static let limits = FormatLimits(maxDepth: 64, maxObjects: 20_000, maxBytes: 1 << 20)

  private func readPacked(_ bytes: [UInt8]) {
    ignoringErrors {
      let unpacked = try inflateRaw(bytes.span, limit: 1 << 20)
      precondition(unpacked.count <= 1 << 20)
    }
    ScratchFile.shared.lend(bytes) { stream in
      var buffer: [UInt8] = []
      while buffer.count < 1 << 20, try stream.read(into: &buffer) > 0 {}
    }
  }

  private func readJSON(_ bytes: [UInt8]) {
    ignoringErrors {
      let value = try JSONValue(parsing: bytes.span, limits: Self.limits)
      var text: [UInt8] = []
      value.append(to: &text)
      // What was written must be read, or rows would be lost on the way.
      precondition((try? JSONValue(parsing: text.span)) != nil)
    }
    ScratchFile.shared.lend(bytes) { stream in
      let framing: JSONReader.Framing =
        switch bytes.first {
        case UInt8(ascii: "\n"): .lines
        case UInt8(ascii: " "), 0xEF: .documents
        default: .document
        }
      var reader = JSONReader(stream, framing: framing)
      while try reader.next() != nil {}
    }
  }

  private func readCSV(_ bytes: [UInt8]) {
    ScratchFile.shared.lend(bytes) { stream in
      var reader = CSVReader(stream)
      while try reader.next() {}
    }
    // The first byte says in which other way the rest is read.
    let form = bytes.first ?? 0
    for encoding in TextEncoding.allCases {
      ignoringErrors {
        var dialect = CSVDialect()
        dialect.separator = CSVDialect.separators[Int(form & 3)]
        dialect.isEscaped = form & 4 != 0
        dialect.hasHeader = form & 8 == 0
        if form & 16 != 0 { dialect.nulls = [[], Array("NA".utf8)] }
        var reader = CSVReader(ByteStream(Array(bytes.dropFirst()), as: encoding), dialect)
        while try reader.next() {}
      }
    }
  }

  private func readXML(_ bytes: [UInt8]) {
    ignoringErrors {
      var reader = try XMLReader(bytes: bytes, options: XMLOptions(allowingDoctype: true))
      while try reader.next() != nil {}
    }
  }
}

/// Runs something for its effects; that it may fail is the point.
func ignoringErrors<Value: ~Copyable>(_ body: () throws -> Value) {
  _ = try? body()
}
