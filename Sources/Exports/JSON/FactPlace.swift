import Bytes
import Formats

/// The way to a member of a manifest: names, each with the place in its array where it has one.
struct FactTrail {
  private var steps: [(name: String, index: Int?)] = []

  /// The way one step further.
  func followed(by name: String, _ index: Int? = nil) -> FactTrail {
    var trail = self
    trail.steps.append((name, index))
    return trail
  }

  /// The way as a person writes it: `tables[0].columns[2].type`.
  var text: String {
    steps.map { step in step.index.map { "\(step.name)[\($0)]" } ?? step.name }
      .joined(separator: ".")
  }

  /// Where in the file the way ends, or the last step on it that there is.
  ///
  /// The file is read once more, which costs nothing where all is well.
  func offset(inFileAt path: String) -> Int {
    var offset = 0
    // A file that cannot be read again has no better place than the last one found.
    guard let stream = try? ExportFile.openMember(path) else { return offset }
    var reader = JSONReader(stream)
    try? follow(&reader, &offset)
    return offset
  }

  private func follow(_ reader: inout JSONReader, _ offset: inout Int) throws(FormatError) {
    _ = try reader.next()
    for step in steps {
      guard try Self.find(step.name, in: &reader) else { return }
      offset = reader.tokenOffset
      guard let index = step.index else { return }
      guard try reader.next() == .beginArray else { return }
      for _ in 0..<index { try Self.skipValue(try reader.next(), of: &reader) }
      guard try reader.next() == .beginObject else { return }
      offset = reader.tokenOffset
    }
  }

  /// Goes on to a key of the object whose start was reached; false where it does not have it.
  private static func find(
    _ name: String, in reader: inout JSONReader
  ) throws(FormatError) -> Bool {
    while try reader.next() == .key {
      if reader.text.elementsEqual(name.utf8) { return true }
      try skipValue(try reader.next(), of: &reader)
    }
    return false
  }

  private static func skipValue(
    _ token: JSONReader.Token?, of reader: inout JSONReader
  ) throws(FormatError) {
    if let token { try reader.skipValue(from: token) }
  }
}
