import Bytes
import Synchronization

/// Findings that are too many for memory, in a file without a name that is gone when it is closed.
///
/// What a finding has in common with the one before it is not written again.
final class FindingFile: Sendable {
  /// Where some findings are.
  struct Place: Sendable {
    fileprivate let offset: Int
    fileprivate let bytes: Int
    fileprivate let count: Int
  }

  private let file: SpoolFile

  private init() throws(FileError) { file = try SpoolFile() }

  /// The file that takes all findings of the process as long as any are in it: of thousands of
  /// sources not each can have one open.
  static func shared() throws(FileError) -> FindingFile {
    let made = current.withLock { current in
      Result { () throws(FileError) in
        if let file = current.file { return file }
        let file = try FindingFile()
        current.file = file
        return file
      }
    }
    return try made.get()
  }

  private struct Current {
    weak var file: FindingFile?
  }

  private static let current = Mutex(Current())

  /// Writes findings behind what the file holds.
  func append(_ findings: ArraySlice<Finding>) throws(FileError) -> Place {
    var bytes: [UInt8] = []
    var last = Finding("", .note, message: "")
    for finding in findings {
      bytes.append(finding, after: last)
      last = finding
    }
    return Place(offset: try file.add(bytes), bytes: bytes.count, count: findings.count)
  }

  /// The findings at a place.
  func findings(at place: Place) -> [Finding] {
    // The file remembers that it could not be read; whoever reads findings asks it in the end.
    guard let bytes = try? file.read(at: place.offset, count: place.bytes) else { return [] }
    var findings: [Finding] = []
    findings.reserveCapacity(place.count)
    var reader = FindingBytes(bytes: bytes)
    for _ in 0..<place.count { findings.append(reader.next()) }
    return findings
  }
}

/// What differs from one finding to the next; what does is written in this order.
private struct Differences: OptionSet {
  let rawValue: UInt8

  static let code = Differences(rawValue: 1)
  static let severity = Differences(rawValue: 2)
  static let table = Differences(rawValue: 4)
  static let itemID = Differences(rawValue: 8)
  static let operation = Differences(rawValue: 16)
  static let message = Differences(rawValue: 32)
  static let count = Differences(rawValue: 64)
  static let source = Differences(rawValue: 128)

  init(rawValue: UInt8) { self.rawValue = rawValue }

  init(between one: Finding, and other: Finding) {
    self = []
    if !hasSameBytes(one.code, other.code) { insert(.code) }
    if one.severity != other.severity { insert(.severity) }
    if !hasSameBytes(one.table, other.table) { insert(.table) }
    if !hasSameBytes(one.itemID, other.itemID) { insert(.itemID) }
    if one.operation != other.operation { insert(.operation) }
    if !hasSameBytes(one.message, other.message) { insert(.message) }
    if one.count != other.count { insert(.count) }
    if one.source != other.source { insert(.source) }
  }
}

extension [UInt8] {
  fileprivate mutating func append(_ finding: Finding, after last: Finding) {
    let differences = Differences(between: last, and: finding)
    append(differences.rawValue)
    if differences.contains(.code) { append(text: finding.code) }
    if differences.contains(.severity) { append(text: finding.severity.rawValue) }
    if differences.contains(.table) { append(text: finding.table) }
    if differences.contains(.itemID) { append(text: finding.itemID) }
    if differences.contains(.operation) {
      append(finding.operation == nil ? 0 : 1)
      appendBigEndian(UInt64(bitPattern: finding.operation ?? 0))
    }
    if differences.contains(.message) { append(text: finding.message) }
    if differences.contains(.count) { appendBigEndian(UInt64(bitPattern: Int64(finding.count))) }
    if differences.contains(.source) { appendBigEndian(UInt64(bitPattern: Int64(finding.source))) }
  }

  /// Appends a text behind its length and one; 0 means none.
  private mutating func append(text: String?) {
    guard let text else { return append(length: 0) }
    append(length: text.utf8.count + 1)
    append(text.utf8Span.span)
  }
}

/// Findings in the order in which they were written.
private struct FindingBytes {
  let bytes: [UInt8]
  private var place = 0
  private var last = Finding("", .note, message: "")

  init(bytes: [UInt8]) { self.bytes = bytes }

  mutating func next() -> Finding {
    let differences = Differences(rawValue: bytes[place])
    place += 1
    if differences.contains(.code) { last.code = text() ?? "" }
    if differences.contains(.severity) {
      last.severity = text().flatMap(Severity.init(rawValue:)) ?? .error
    }
    if differences.contains(.table) { last.table = text() }
    if differences.contains(.itemID) { last.itemID = text() }
    if differences.contains(.operation) {
      let isThere = bytes[place] != 0
      place += 1
      let number = Int64(bitPattern: word())
      last.operation = isThere ? number : nil
    }
    if differences.contains(.message) { last.message = text() ?? "" }
    if differences.contains(.count) { last.count = Int(truncatingIfNeeded: word()) }
    if differences.contains(.source) { last.source = Int32(truncatingIfNeeded: word()) }
    return last
  }

  private mutating func word() -> UInt64 {
    let start = place
    place += 8
    return UInt64(bigEndian: loadWord(from: bytes.span, at: start))
  }

  private mutating func text() -> String? {
    var start = place
    let length = OperationFields.readLength(bytes.span, at: &start)
    place = start + max(0, length - 1)
    return length == 0 ? nil : String(decoding: bytes[start..<place], as: UTF8.self)
  }
}
