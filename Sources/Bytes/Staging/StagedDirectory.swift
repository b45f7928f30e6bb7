import Glibc

/// A folder of files that appears under its final name only when it is complete.
///
/// Until then it has a hidden name beside the destination. Without `publish` it is removed with
/// everything in it.
package struct StagedDirectory: ~Copyable {
  /// The final name.
  let destination: String

  /// The folder's name while it is being filled.
  let temporaryPath: String

  private let isReplacing: Bool
  private var tokens: [TemporaryPaths.Token]

  /// Creates the folder under a temporary name.
  ///
  /// - Throws: `.exists` when the destination exists, unless it is a folder and `replacing` is set;
  ///   `.notAFile` for a device, a pipe or an open file.
  package init(for destination: String, replacing: Bool) throws(FileError) {
    try StagedFile.checkIsPlain(destination)
    if Paths.exists(destination), !replacing || !Paths.isDirectory(destination) {
      throw FileError(
        operation: replacing ? "replace" : "create", path: destination, errno: EEXIST)
    }
    let path = try stagingName(for: destination)
    // The string is a valid C string for the length of the call.
    if unsafe mkdir(path, 0o700) != 0 {
      // A person knows the name that was asked for, not the one that stands in for it.
      throw FileError(operation: "create", path: destination, errno: errno)
    }
    self.destination = destination
    temporaryPath = path
    isReplacing = replacing
    tokens = [TemporaryPaths.register(path)]
  }

  deinit {
    // After publishing this is what stood under the final name before, or nothing.
    removeTree(systemPath(temporaryPath))
    for token in tokens { TemporaryPaths.unregister(token) }
  }

  /// The path at which to create a file of the folder; a signal will remove that file too.
  package mutating func path(forFile name: String) -> String {
    let path = Paths.join(temporaryPath, name)
    tokens.append(TemporaryPaths.register(path))
    return path
  }

  /// Makes the folder and its files durable and gives it its final name.
  ///
  /// Whoever wrote the files must have closed them. A destination that has appeared meanwhile is
  /// an error unless the folder replaces; then the old folder is removed once the new one is there.
  package consuming func publish() throws(FileError) {
    try SpoolFile.checkReading()
    try synchronizeTree(systemPath(temporaryPath))
    try keepFiles()
    if isReplacing {
      try replaceFolder(temporaryPath, as: destination)
    } else {
      try moveFolder(temporaryPath, to: destination)
    }
    do {
      try synchronizeFolder(of: destination)
    } catch {
      // Whoever is told that it failed finds what was there before: a folder, or a free name.
      if Paths.exists(temporaryPath) {
        try? replaceFolder(temporaryPath, as: destination)
      } else {
        try? moveFolder(destination, to: temporaryPath)
      }
      throw error
    }
  }

  /// Takes the files back from the signal handler, which must not remove published ones.
  private mutating func keepFiles() throws(FileError) {
    var isComplete = true
    for token in tokens where !TemporaryPaths.unregister(token) { isComplete = false }
    tokens = []
    // The handler was faster: the process is about to end, and files may be gone.
    if !isComplete { throw FileError(operation: "create", path: destination, errno: EINTR) }
  }
}

/// Puts a folder in the place of another, which afterwards has the first one's name.
private func replaceFolder(_ new: String, as old: String) throws(FileError) {
  guard Paths.exists(old) else { return try moveFolder(new, to: old) }
  let number = rename(new, old, .exchange)
  if number == 0 { return }
  guard isUnsupportedRename(number) else {
    throw FileError(operation: "create", path: old, errno: number)
  }
  try exchangeFolders(new, old)
}

/// As `replaceFolder`, for file systems that cannot exchange names in one step.
func exchangeFolders(_ new: String, _ old: String) throws(FileError) {
  let aside = try stagingName(for: old)
  try moveFolder(old, to: aside)
  do {
    try moveFolder(new, to: old)
  } catch {
    // The old folder goes back; if even that fails, its bytes are still there under `aside`.
    try? moveFolder(aside, to: old)
    throw error
  }
  try moveFolder(aside, to: new)
}

/// Gives a folder a name that must be free.
private func moveFolder(_ old: String, to new: String) throws(FileError) {
  var number = rename(old, new, .noReplace)
  if isUnsupportedRename(number) { number = renameFolder(old, to: new) }
  if number != 0 { throw FileError(operation: "create", path: new, errno: number) }
}

/// As `moveFolder`, with a look beforehand instead of certainty.
func renameFolder(_ old: String, to new: String) -> Int32 {
  if Paths.exists(new) { return EEXIST }
  // Both strings are valid C strings for the length of the call.
  return unsafe rename(old, new) == 0 ? 0 : errno
}
