import Glibc

/// The names of what a folder holds, in byte order; a name that is not UTF-8 is left out, and told
/// to `tell`.
///
/// - Throws: `FileError` when it is no folder, cannot be read, or holds more than `limit` names.
package func fileNames(
  inFolder path: String, limit: Int, tellingOfOthers tell: (_ name: [UInt8]) -> Void = { _ in }
) throws(FileError) -> [String] {
  guard !path.utf8.contains(0) else {
    throw FileError(operation: "read", path: path, errno: EINVAL)
  }
  var names: [String] = []
  try forEachName(inFolder: systemPath(path), shown: path) { (bytes) throws(FileError) in
    guard let name = String(validating: bytes, as: UTF8.self) else { return tell(bytes) }
    guard names.count < limit else {
      throw FileError(operation: "read", path: path, errno: EFBIG)
    }
    names.append(name)
  }
  return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
}

/// A path as the system spells it: bytes, which need not be UTF-8, and a zero at the end.
typealias SystemPath = [CChar]

func systemPath(_ path: String) -> SystemPath {
  path.utf8.map { CChar(bitPattern: $0) } + [0]
}

func systemPath(_ folder: SystemPath, joining name: [UInt8]) -> SystemPath {
  let separator = [CChar(bitPattern: UInt8(ascii: "/"))]
  return folder.dropLast() + separator + name.map { CChar(bitPattern: $0) } + [0]
}

/// Lends the names of what a folder holds, in any order; errors call it as it is `shown`.
func forEachName(
  inFolder path: SystemPath, shown: String, _ body: (_ name: [UInt8]) throws(FileError) -> Void
) throws(FileError) {
  // The stream is valid until it is closed, each entry until the next is read, and an entry's
  // name ends with a zero.
  guard let folder = unsafe opendir(path) else {
    throw FileError(operation: "read", path: shown, errno: errno)
  }
  defer { unsafe closedir(folder) }
  let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
  while let entry = unsafe readdir(folder) {
    let start = unsafe UnsafeRawPointer(entry) + offset
    let size = unsafe strlen(start.assumingMemoryBound(to: CChar.self))
    let name = unsafe Array(UnsafeRawBufferPointer(start: start, count: size))
    let isFolderItself = name.count < 3 && name.allSatisfy { $0 == UInt8(ascii: ".") }
    if !isFolderItself { try body(name) }
  }
}

/// The paths of what a folder holds; empty when it cannot be read or is none.
func contents(ofFolder path: SystemPath) -> [SystemPath] {
  var paths: [SystemPath] = []
  try? forEachName(inFolder: path, shown: "") { paths.append(systemPath(path, joining: $0)) }
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
