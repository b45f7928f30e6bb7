import Bytes
import Formats

/// The line and the column at which a byte of a text stands, both from 1; columns are bytes.
///
/// Readers of JSON count bytes alone, so the text before the byte is read once more.
struct LinePlace {
  private(set) var line = 1
  private var lineStart = 0
  private let offset: Int

  var column: Int { offset - lineStart + 1 }

  /// Finds the place; nil where the text cannot be read again.
  init?(ofByte offset: Int, inFileAt path: String) {
    self.offset = offset
    guard let stream = try? ExportFile.open(path) else { return nil }
    var start = 0
    var text: [UInt8] = []
    while start < offset {
      text.removeAll(keepingCapacity: true)
      guard let count = try? stream.read(into: &text), count > 0 else { return nil }
      for place in text.prefix(offset - start).indices where text[place] == UInt8(ascii: "\n") {
        line += 1
        lineStart = start + place + 1
      }
      start += text.count
    }
  }
}
