import Bytes
import Glibc

/// What a rollback journal names at its end when its change is one of several databases: the file
/// that is removed when all of them have it.
///
/// Where that file is there, the engine undoes the change and removes it, whatever it is; so no
/// journal of somebody else that names one may come before the engine.
package struct SuperJournal {
  /// The path that the device had.
  private let name: [UInt8]
  /// Where the record lies that names it.
  let place: Int

  /// Reads the end of the journal at `path`; nil where no file is named.
  init?(namedByFileAt path: String) throws(FileError) {
    let journal = try PositionedFile(opening: path)
    try self.init(named: journal, before: journal.size)
  }

  /// Reads what lies before a place of a journal: four bytes, a name, its length, its sum, a mark.
  private init?(named journal: PositionedFile, before end: Int) throws(FileError) {
    let tail = 16
    guard end >= tail else { return nil }
    let facts = try Self.bytes(of: journal, at: end - tail, tail)
    let length = Self.number(facts, 0)
    guard facts.suffix(8).elementsEqual(RollbackJournal.magic), length > 0,
      length <= min(Self.mostBytes, end - tail)
    else { return nil }
    let name = try Self.bytes(of: journal, at: end - tail - length, length)
    guard Self.sums(of: name).contains(UInt32(Self.number(facts, 4))) else { return nil }
    self.name = name
    place = max(0, end - tail - length - 4)
  }

  /// Takes the names of such files out of a copy of a journal.
  static func forget(inFileAt path: String) throws(FileError) {
    let journal = try PositionedFile(opening: path)
    var end = journal.size
    // What stands before the record may look like another.
    while let named = try SuperJournal(named: journal, before: end) { end = named.place }
    guard end < journal.size else { return }
    try GrowingFile(opening: path).cut(to: end)
  }

  /// Whether the file is there: beside the journal, as in a folder of a device, or where it was.
  func isThere(beside journal: String) -> Bool {
    let separators = Set("/\\".utf8)
    let last = name.split(omittingEmptySubsequences: false) { separators.contains($0) }.last ?? []
    let folder = Array(Paths.folder(of: journal).utf8)
    // What is called otherwise is none, whatever lies beside the store.
    return Self.isName(last) && Self.exists(folder + [UInt8(ascii: "/")] + last)
      || name.first == UInt8(ascii: "/") && Self.exists(name)
  }

  /// Whether the engine calls such a file so: nine digits of sixteen, the seventh of which is a 9.
  package static func isName(_ name: some BidirectionalCollection<UInt8>) -> Bool {
    guard let mark = name.lastIndex(of: UInt8(ascii: "-")), mark != name.startIndex else {
      return false
    }
    let end = name[mark...]
    let digits = end.dropFirst(3)
    return end.starts(with: "-mj".utf8) && digits.count == 9 && digits.dropFirst(6).first == 0x39
      && digits.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x46).contains($0) }
  }

  private static func exists(_ path: [UInt8]) -> Bool {
    var status = stat()
    let text = path.map { CChar(bitPattern: $0) } + [0]
    return unsafe lstat(text, &status) == 0
  }

  /// The sums that engines make of a name, to which bytes are signed numbers, or not.
  private static func sums(of name: [UInt8]) -> [UInt32] {
    [
      name.reduce(0) { $0 &+ UInt32(bitPattern: Int32(Int8(bitPattern: $1))) },
      name.reduce(0) { $0 &+ UInt32($1) },
    ]
  }

  private static func bytes(
    of file: PositionedFile, at place: Int, _ count: Int
  ) throws(FileError) -> [UInt8] {
    var bytes: [UInt8] = []
    try file.read(at: place, count: count, appendingTo: &bytes)
    return bytes
  }

  private static func number(_ bytes: [UInt8], _ offset: Int) -> Int {
    (0..<4).reduce(0) { $0 << 8 | Int(bytes[offset + $1]) }
  }

  /// Engines know longer paths than any that one of them takes here.
  private static let mostBytes = 4096
}
