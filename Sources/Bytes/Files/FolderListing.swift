import Glibc

/// The names of what a folder holds, in byte order; a name that is not UTF-8 is left out, and told
/// to `tell`.
///
/// - Throws: `FileError` when it is no folder, cannot be read, or holds more than `limit` names.
package func fileNames(
  inFolder path: String, limit: Int, tellingOfOthers tell: () -> Void = {}
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
      tell()
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

/// A path as the system spells it: bytes, which need not be UTF-8, and a zero at the end.
typealias SystemPath = [CChar]

func systemPath(_ path: String) -> SystemPath {
  path.utf8.map { CChar(bitPattern: $0) } + [0]
}

/// The paths of what a folder holds; empty when it cannot be read or is none.
func contents(ofFolder path: SystemPath) -> [SystemPath] {
  // The stream is valid until it is closed, each entry until the next is read, and an entry's
  // name ends with a zero.
  guard let folder = unsafe opendir(path) else { return [] }
  defer { unsafe closedir(folder) }
  let nameOffset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
  var paths: [SystemPath] = []
  while let entry = unsafe readdir(folder) {
    let start = unsafe UnsafeRawPointer(entry) + nameOffset
    let name = unsafe start.assumingMemoryBound(to: CChar.self)
    let bytes = unsafe UnsafeBufferPointer(start: name, count: strlen(name) + 1)
    if unsafe strcmp(name, ".") == 0 || strcmp(name, "..") == 0 { continue }
    unsafe paths.append(path.dropLast() + [CChar(bitPattern: UInt8(ascii: "/"))] + bytes)
  }
  return paths
}

/// Removes a file, a link, or a folder with everything in it; links are never followed.
func removeTree(_ path: SystemPath) {
  // The array ends with a zero, which makes it a C string.
  if unsafe unlink(path) == 0 || errno == ENOENT { return }
  for entry in contents(ofFolder: path) { removeTree(entry) }
  _ = unsafe rmdir(path)
}

func synchronizeTree(_ path: SystemPath) throws(FileError) {
  for entry in contents(ofFolder: path) { try synchronizeTree(entry) }
  let name = String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  try FileDescriptor(opening: name, O_RDONLY).synchronize()
}

/// Makes a change of names in a folder durable, as far as its file system can do that.
func synchronizeFolder(of path: String) throws(FileError) {
  // Files may be created in a folder that may not be listed; then its names cannot be flushed.
  guard let folder = try? FileDescriptor(opening: Paths.folder(of: path), O_RDONLY) else { return }
  try folder.synchronize()
}
