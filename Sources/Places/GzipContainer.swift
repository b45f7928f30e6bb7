import Bytes
import Formats

/// The one file of a gzip file that holds no archive, with its side files that lie beside it, packed as it
/// is or not.
final class GzipContainer: Container {
  let word = "gz"
  private(set) var files: [ContainedFile] = []
  /// The files on the disk, by the places of those in them.
  private var archives: [(file: ArchiveFile, packing: Packing)] = []
  /// The places of the files behind whose data others stand.
  private var followed: Set<Int> = []

  /// The file of a name and a kind; whatever somebody names may turn out to be a store that is damaged.
  init(_ path: String, named name: String, _ kind: FileKind, isPlace: Bool) {
    var file = ContainedFile(path: name, kind: kind, size: Self.plainSize(of: path), place: 0)
    file.tellByPlace { _ in false }
    file.takeIfLost(isCalledDatabase: isPlace || file.isCalledDatabase) { _ in false }
    add(file, in: path, .gzip)
    guard file.kind == .database, let plain = Self.plainPath(of: path) else { return }
    let packings = [String(path.suffix(Self.ending.count)), Self.ending]
    for ending in SideFiles.endings {
      let (beside, name) = (plain + ending, name + ending)
      if let packed = packings.map({ beside + $0 }).first(where: Paths.isPlainFile) {
        addSideFile(packed, .gzip, named: name)
      } else if Paths.isPlainFile(beside), !Paths.exists(plain) {
        addSideFile(beside, .none, named: name)
      }
    }
  }

  private func add(_ file: ContainedFile, in path: String, _ packing: Packing) {
    files.append(file)
    archives.append((ArchiveFile(path), packing))
  }

  /// Adds what lies beside a database under the name of a side file, unless it is none.
  private func addSideFile(_ path: String, _ packing: Packing, named name: String) {
    var file = ContainedFile(
      path: name, kind: .counted(.sideFile), size: 0, place: archives.count)
    do throws(PlaceFailure) {
      guard FileKind(startingWith: try Self.start(of: path, packing)) == file.kind else { return }
    } catch {
      file.failure = error
    }
    add(file, in: path, packing)
  }

  /// What the name of a packed file ends in.
  static let ending = ".gz"

  /// The path without the ending of a packed file; nil where it has another one.
  static func plainPath(of path: String) -> String? {
    path.lowercased().hasSuffix(ending) ? String(path.dropLast(ending.count)) : nil
  }

  func copy(_ file: ContainedFile, to path: String, _ budget: CopyBudget) throws(PlaceFailure) {
    let stream: PackedStream
    do {
      let (archive, packing) = archives[file.place]
      let source = try archive.open()
      stream = try PackedStream(source, from: 0, count: source.size, packing)
    } catch {
      throw PlaceFailure(error)
    }
    _ = try copyOut(to: path, budget) { (buffer) throws(FormatError) in
      try stream.read(into: &buffer)
    }
    if stream.hasTrailingBytes { followed.insert(file.place) }
  }

  func isFollowed(_ file: ContainedFile) -> Bool { followed.contains(file.place) }

  func close() {
    for archive in archives { archive.file.close() }
  }

  /// The first unpacked bytes of a gzip file.
  static func start(
    of path: String, _ packing: Packing = .gzip
  ) throws(PlaceFailure) -> [UInt8] {
    var start: [UInt8] = []
    do throws(FormatError) {
      let file = try positionedFile(path)
      let stream = try PackedStream(file, from: 0, count: file.size, packing)
      while start.count < FileKind.prefixSize,
        try stream.read(into: &start, atMost: FileKind.prefixSize - start.count) > 0
      {}
    } catch {
      // A file that is cut may still show what it was.
      guard !start.isEmpty else { throw PlaceFailure(error) }
    }
    return start
  }

  /// How many bytes are packed in a file, as its end says; 0 where that cannot be read.
  private static func plainSize(of path: String) -> Int {
    var end: [UInt8] = []
    guard let file = try? PositionedFile(opening: path), file.size > 4,
      (try? file.read(at: file.size - 4, count: 4, appendingTo: &end)) != nil
    else { return 0 }
    return end.reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  /// What the file inside is called: as its header says, else as the file, without its ending.
  static func memberName(of path: String, called name: String) -> String {
    let own = Paths.fileName(of: name)
    let plain = plainPath(of: own) ?? own
    guard let head = try? readPrefix(of: path, count: 4096), head.count > 10, head[3] & 8 != 0
    else { return plain }
    var start = 10
    if head[3] & 4 != 0, head.count > 12 { start += 2 + Int(head[10]) + Int(head[11]) << 8 }
    guard start < head.count, let end = head[start...].firstIndex(of: 0), end > start else {
      return plain
    }
    let name = ArchiveName.text(Array(head[start..<end]))
    return Paths.parts(of: name).last.map(String.init) ?? plain
  }
}
