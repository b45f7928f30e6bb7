import Glibc

/// A file that appears under its final name only when it is complete.
///
/// Until then it has a hidden name in the same folder. Without `publish` it is removed, together
/// with the side files of a database.
package struct StagedFile: ~Copyable {
  /// The final name.
  package let destination: String

  /// The name under which the file is written; an empty file stands there from the start.
  package let temporaryPath: String

  private let isReplacing: Bool
  private let tokens: [TemporaryPaths.Token]

  /// Reserves a temporary name; an existing destination is an error unless `replacing`.
  ///
  /// - Throws: `.exists` also for a side file at the destination, which SQLite would take for the
  ///   new file's own; `.isDirectory` for a folder, `.notAFile` for a device, a pipe or an open file;
  ///   one of kind `temporary` where somebody works with the file that would be replaced.
  package init(for destination: String, replacing: Bool) throws(FileError) {
    try Self.check(destination, replacing: replacing)
    let path = try stagingName(for: destination)
    let reserved: FileDescriptor
    do {
      reserved = try FileDescriptor(
        opening: path, O_WRONLY | O_CREAT | O_EXCL, operation: "create")
    } catch {
      // A person knows the name that was asked for, not the one that stands in for it.
      throw FileError(operation: "create", path: destination, errno: error.errno)
    }
    self.destination = destination
    temporaryPath = path
    isReplacing = replacing
    tokens = ([""] + sideFileEndings).map { TemporaryPaths.register(path + $0) }
    // Nothing was written through the descriptor that closing could lose.
    try? reserved.close()
  }

  /// How many bytes the name has at most that stands in for one until the file is complete.
  package static func longestName(beside name: String) -> Int {
    // A dot stands before the name, and another one before 16 digits.
    shortened(name.utf8, to: longestStart).count + 18 + stagingEnding.utf8.count
  }

  /// Throws, as the initialiser would, when a destination cannot be used.
  package static func check(_ destination: String, replacing: Bool) throws(FileError) {
    try checkIsNoOther(destination)
    let number = Paths.obstacle(ofFolder: Paths.folder(of: destination))
    if number != 0 { throw FileError(operation: "create", path: destination, errno: number) }
    guard !replacing else {
      _ = try FileLock.take(onReplaced: destination)
      return
    }
    for taken in [""] + sideFileEndings where Paths.exists(destination + taken) {
      throw FileError(operation: "create", path: destination + taken, errno: EEXIST)
    }
  }

  /// Throws where something else than a file stands at a destination, or is meant by its name.
  package static func checkIsNoOther(_ destination: String) throws(FileError) {
    // The system takes no such name for a file, and says so when that gets it in the end.
    if Paths.isDirectory(destination) || destination.utf8.last == UInt8(ascii: "/") {
      throw FileError(operation: "create", path: destination, errno: EISDIR)
    }
    try checkIsPlain(destination)
  }

  /// Throws where a device, a pipe or an open file stands at a destination.
  package static func checkIsPlain(_ destination: String) throws(FileError) {
    // A link to an open file, such as /dev/stdout, would itself be replaced.
    guard Paths.isSpecial(destination) || Paths.isOpenFile(destination) else { return }
    throw FileError(operation: "create", path: destination, errno: ESPIPE)
  }

  deinit {
    // After publishing only leftover side files can still be there.
    for ending in [""] + sideFileEndings { removeFile(temporaryPath + ending) }
    for token in tokens { TemporaryPaths.unregister(token) }
  }

  /// Begins to make durable what was written so far, while others read it.
  ///
  /// The system tells of a failure only once, so whoever publishes must have looked at the result.
  package func flushAhead(threads: Int) -> Background<Result<Void, FileError>> {
    let path = temporaryPath
    return Background(threads: threads) {
      Result { () throws(FileError) in
        try FileDescriptor(opening: path, O_RDONLY).synchronize()
      }
    }
  }

  /// Makes the file durable and gives it its final name.
  ///
  /// Whoever wrote the file must have closed it. A destination that has appeared meanwhile is an
  /// error unless the file replaces; then the old file's side files go with it, unless somebody has
  /// begun to work with it. A new file whose name cannot be made durable is taken back.
  package consuming func publish() throws(FileError) {
    try SpoolFile.checkReading()
    try FileDescriptor(opening: temporaryPath, O_RDONLY).synchronize()
    if isReplacing {
      let lock = try FileLock.take(onReplaced: destination)
      try replaceDatabase(temporaryPath, as: destination)
      _ = consume lock
    } else {
      try moveFile(temporaryPath, to: destination)
      do {
        try synchronizeFolder(of: destination)
      } catch {
        // Whoever is told that it failed will run it again, and finds the name free.
        removeFile(destination)
        throw error
      }
    }
  }
}

/// Removes a file, if it is there.
package func removeFile(_ path: String) {
  // The string is a valid C string for the length of the call; a missing file is what we want.
  _ = unsafe unlink(path)
}

/// Puts a file in the place of another, whose side files go first.
///
/// Should the run be killed in between, the new file must never stand beside the old one's side
/// files, which SQLite would take for its own. After an error the old files are back.
private func replaceDatabase(_ new: String, as old: String) throws(FileError) {
  try moveSideFiles(of: old, to: new)
  let isOldKept: Bool
  do {
    isOldKept = try exchangeFiles(new, old)
  } catch {
    try? moveSideFiles(of: new, to: old)
    throw error
  }
  do {
    try synchronizeFolder(of: old)
  } catch {
    if isOldKept, rename(new, old, .exchange) == 0 { try? moveSideFiles(of: new, to: old) }
    throw error
  }
}

private func moveSideFiles(of old: String, to new: String) throws(FileError) {
  for ending in sideFileEndings {
    // Both strings are valid C strings for the length of the call.
    guard unsafe rename(old + ending, new + ending) != 0 else { continue }
    let number = errno
    // A file of a name that is as long as it may be has none beside it.
    if number == ENOENT || number == ENAMETOOLONG { continue }
    for moved in sideFileEndings.prefix(while: { $0 != ending }) {
      unsafe _ = rename(new + moved, old + moved)
    }
    throw FileError(operation: "create", path: old + ending, errno: number)
  }
}

/// Gives a file another's name and, where the file system can do that, the other one its own.
///
/// - Returns: whether the other file is still there, under the first one's name.
private func exchangeFiles(_ new: String, _ old: String) throws(FileError) -> Bool {
  let number = rename(new, old, .exchange)
  if number == 0 { return true }
  guard number == ENOENT || isUnsupportedRename(number) else {
    throw FileError(operation: "create", path: old, errno: number)
  }
  try replaceFile(new, as: old)
  return false
}

private func replaceFile(_ old: String, as new: String) throws(FileError) {
  // Both strings are valid C strings for the length of the call.
  guard unsafe rename(old, new) != 0 else { return }
  throw FileError(operation: "create", path: new, errno: errno)
}

/// Gives a file a name that must be free, in the safest way that the file system offers.
private func moveFile(_ old: String, to new: String) throws(FileError) {
  let number = rename(old, new, .noReplace)
  if number == 0 { return }
  guard isUnsupportedRename(number) else {
    throw FileError(operation: "create", path: new, errno: number)
  }
  try linkFile(old, to: new)
}

/// As `moveFile`, for file systems that cannot rename exclusively.
func linkFile(_ old: String, to new: String) throws(FileError) {
  // Both strings are valid C strings for the length of the calls.
  if unsafe link(old, new) == 0 { return removeFile(old) }
  let number = errno
  guard number == EPERM || number == ENOTSUP || number == ENOSYS || number == EMLINK else {
    throw FileError(operation: "create", path: new, errno: number)
  }
  // Without links, as on FAT, a look beforehand is all there is.
  if Paths.exists(new) { throw FileError(operation: "create", path: new, errno: EEXIST) }
  try replaceFile(old, as: new)
}
