import Glibc

/// The names of what a folder holds, in byte order; a name that is not UTF-8 is left out, and told
/// to `tell`.
///
/// - Throws: `FileError` when it is no folder, cannot be read, or holds more than `limit` names.
package func fileNames(
  inFolder path: String, limit: Int, tellingOfOthers tell: (String) -> Void = { _ in }
) throws(FileError) -> [String] {
  guard !path.utf8.contains(0) else {
    throw FileError(operation: "read", path: path, errno: EINVAL)
  }
  // The stream is valid until it is closed, and the string for the length of the call.
  guard let folder = unsafe opendir(path) else {
    throw FileError(operation: "read", path: path, errno: errno)
  }
  defer { unsafe closedir(folder) }
  var names: [String] = []
  while let entry = unsafe readdir(folder) {
    guard let name = unsafe fileName(of: entry) else {
      tell("files whose names are no UTF-8")
      continue
    }
    guard name != ".", name != ".." else { continue }
    guard names.count < limit else {
      throw FileError(operation: "read", path: path, errno: EFBIG)
    }
    names.append(name)
  }
  return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
}

/// The name in an entry of a folder; nil when it is not UTF-8.
private func fileName(of entry: UnsafeMutablePointer<dirent>) -> String? {
  // An entry is valid until the next is read, and its name ends with a zero.
  let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
  let start = unsafe UnsafeRawPointer(entry) + offset
  return unsafe String(validatingCString: start.assumingMemoryBound(to: CChar.self))
}
