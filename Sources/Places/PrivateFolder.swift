import Bytes
import Formats
import Glibc
import Synchronization

/// A folder of our own that only the owner can enter, removed with its files when the value ends.
final class PrivateFolder: Sendable {
  let path: String
  private let contents: Mutex<Contents>

  /// What is in the folder, and what a signal would remove.
  private struct Contents {
    var files: [String] = []
    var folders: [String]
    var tokens: [TemporaryPaths.Token]
    /// What its copies take of a budget.
    var bytes = 0
    var budget: CopyBudget?
  }

  /// Makes a folder below `parent`.
  init(in parent: String) throws(PlaceFailure) {
    do {
      path = try makePrivateFolder(in: parent)
    } catch {
      throw PlaceFailure(ofPrivateFile: error)
    }
    contents = Mutex(Contents(folders: [path], tokens: [TemporaryPaths.register(path)]))
  }

  deinit {
    contents.withLock { contents in
      for file in contents.files { unsafe _ = unlink(file) }
      for folder in contents.folders.reversed() { unsafe _ = rmdir(folder) }
      for token in contents.tokens { TemporaryPaths.unregister(token) }
      contents.budget?.giveBack(contents.bytes)
    }
  }

  /// Gives what was just taken of a budget back when the folder goes.
  func charge(_ budget: CopyBudget) {
    contents.withLock { contents in
      contents.budget = budget
      contents.bytes += budget.takeCharge()
    }
  }

  /// Lets the folder stay with all that is in it when the value ends.
  func keep() {
    contents.withLock { contents in
      for token in contents.tokens { TemporaryPaths.unregister(token) }
      contents = Contents(folders: [], tokens: [])
    }
  }

  func newFile(_ name: String) throws(PlaceFailure) -> String {
    let parts = Paths.parts(of: name)
    let file = contents.withLock { contents -> Result<String, FileError> in
      var folder = path
      for part in parts.dropLast() {
        folder = Paths.join(folder, String(part))
        guard !contents.folders.contains(folder) else { continue }
        guard unsafe mkdir(folder, 0o700) == 0 else {
          return .failure(FileError(operation: "create", path: folder, errno: errno))
        }
        contents.folders.append(folder)
        contents.tokens.append(TemporaryPaths.register(folder))
      }
      let file = Paths.join(folder, parts.last.map(String.init) ?? "file")
      contents.files.append(file)
      contents.tokens.append(TemporaryPaths.register(file))
      return .success(file)
    }
    do {
      return try file.get()
    } catch {
      throw PlaceFailure(ofPrivateFile: error)
    }
  }
}

/// How much of the disk the copies of a run may take at a time.
///
/// Copies go when whoever reads them is done, on whatever thread that is.
final class CopyBudget: Sendable {
  private let account: Mutex<Account>

  private struct Account {
    var left: Int
    /// What was taken and is not yet part of a folder that gives it back.
    var uncharged = 0
  }

  /// Three quarters of what is free in a folder.
  convenience init(forCopiesIn folder: String) {
    self.init((freeBytes(in: folder) ?? .max) / 4 * 3)
  }

  /// So many bytes.
  init(_ bytes: Int) { account = Mutex(Account(left: bytes)) }

  func take(_ count: Int) throws(PlaceFailure) {
    let isThere = account.withLock { account in
      account.left -= count
      account.uncharged += count
      return account.left >= 0
    }
    guard isThere else { throw PlaceFailure.noRoomForCopies }
  }

  /// What was taken since the last call, for the folder that gives it back.
  func takeCharge() -> Int {
    account.withLock { account in
      defer { account.uncharged = 0 }
      return account.uncharged
    }
  }

  func giveBack(_ count: Int) { account.withLock { $0.left += count } }
}

/// What a copy of a store is called: as the store, as far as that is harmless.
enum CopyName {
  private static let longest = 100

  /// A name for the copy of what lies at a path in a container.
  ///
  /// It has nothing in it that means something to the file system or a terminal, and none of the
  /// endings by which SQLite knows side files.
  static func make(of path: String) -> String {
    var name = ""
    for scalar in SideFiles.name(of: path).unicodeScalars {
      guard name.utf8.count < longest else { break }
      name.unicodeScalars.append(isHarmless(scalar) ? scalar : "_")
    }
    if name.isEmpty || name.hasPrefix(".") { name = "store" + name }
    if SideFiles.endings.contains(where: name.hasSuffix) { name += ".store" }
    return name
  }

  private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned,
      .privateUse:
      false
    default: scalar != "/" && scalar != "\\"
    }
  }
}

/// Copies a whole file into a private one.
func copyOut(
  _ file: PositionedFile, to path: String, _ budget: CopyBudget
) throws(PlaceFailure) {
  let stream: PackedStream
  do {
    stream = try PackedStream(file, from: 0, count: file.size, .none)
  } catch {
    throw PlaceFailure(error)
  }
  _ = try copyOut(to: path, budget) { (buffer) throws(FormatError) in
    try stream.read(into: &buffer)
  }
}

/// Writes the bytes of a member to a new file, whatever hands them on.
///
/// - Returns: how many bytes there were.
func copyOut(
  to path: String, _ budget: CopyBudget,
  _ read: (inout [UInt8]) throws(FormatError) -> Int
) throws(PlaceFailure) -> Int {
  var size = 0
  do {
    var output = try OutputFile(creating: path)
    var buffer: [UInt8] = []
    while true {
      buffer.removeAll(keepingCapacity: true)
      let count: Int
      do throws(FormatError) {
        count = try read(&buffer)
      } catch {
        // What was before it may be of use.
        try output.flush()
        throw PlaceFailure(error)
      }
      guard count > 0 else { break }
      size += count
      try budget.take(count)
      try output.write(buffer.span)
    }
    try output.close()
  } catch let error as PlaceFailure {
    throw error
  } catch let error as FileError {
    throw PlaceFailure(ofPrivateFile: error)
  } catch {
    throw PlaceFailure(.unreadable, "\(error)")
  }
  return size
}
