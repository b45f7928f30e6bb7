import Bytes
import Formats

/// The one file of a gzip file that holds no archive.
final class GzipContainer: Container {
  let word = "gz"
  private(set) var files: [ContainedFile] = []
  private let archive: ArchiveFile

  /// The file of a name, which begins with some bytes.
  init(_ path: String, named name: String, _ start: [UInt8]) {
    archive = ArchiveFile(path)
    files = [
      ContainedFile(path: name, kind: FileKind(startingWith: start), size: 0, place: 0)
    ]
  }

  func copy(_ file: ContainedFile, to path: String, _ budget: CopyBudget) throws(PlaceFailure) {
    let stream: PackedStream
    do {
      let packed = try archive.open()
      stream = try PackedStream(packed, from: 0, count: packed.size, .gzip)
    } catch {
      throw PlaceFailure(error)
    }
    _ = try copyOut(to: path, budget) { (buffer) throws(FormatError) in
      try stream.read(into: &buffer)
    }
  }

  func close() { archive.close() }

  /// The first unpacked bytes of a gzip file.
  static func start(of path: String) throws(PlaceFailure) -> [UInt8] {
    var start: [UInt8] = []
    do throws(FormatError) {
      let file = try positionedFile(path)
      let stream = try PackedStream(file, from: 0, count: file.size, .gzip)
      while start.count < FileKind.prefixSize,
        try stream.read(into: &start, atMost: FileKind.prefixSize - start.count) > 0
      {}
    } catch {
      // A file that is cut may still show what it was.
      guard !start.isEmpty else { throw PlaceFailure(error) }
    }
    return start
  }

  /// What the file inside is called: as its header says, else as the file without its ending.
  static func memberName(of path: String) -> String {
    let own = Paths.fileName(of: path)
    let plain = own.lowercased().hasSuffix(".gz") ? String(own.dropLast(3)) : own
    guard let head = try? readPrefix(of: path, count: 4096), head.count > 10, head[3] & 8 != 0
    else { return plain }
    var start = 10
    if head[3] & 4 != 0, head.count > 12 { start += 2 + Int(head[10]) + Int(head[11]) << 8 }
    guard start < head.count, let end = head[start...].firstIndex(of: 0), end > start else {
      return plain
    }
    let name = ArchiveName.text(Array(head[start..<end]))
    return name.split(separator: "/").last.map(String.init) ?? plain
  }
}
