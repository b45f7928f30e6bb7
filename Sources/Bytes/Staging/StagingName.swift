import Glibc

/// A new hidden name beside `destination`: `.<name>.<random>.rehome-part`.
func stagingName(for destination: String) throws(FileError) -> String {
  let name = Paths.fileName(of: destination)
  // A zero byte would end the path early; the root and the dots are no names.
  guard !destination.utf8.contains(0), !name.isEmpty, name != ".", name != ".." else {
    throw FileError(operation: "create", path: destination, errno: EINVAL)
  }
  // File systems allow 255 bytes; the rest of the name and a side file's ending need 38.
  let start = Substring(shortened(name.utf8, to: 200))
  let random = String(UInt64.random(in: .min ... .max), radix: 16)
  return Paths.join(Paths.folder(of: destination), ".\(start).\(random).rehome-part")
}

/// The endings of the files that SQLite keeps beside a database.
let sideFileEndings = ["-journal", "-wal", "-shm"]

/// The longest start of at most `limit` bytes that does not cut a character's bytes apart.
private func shortened(_ name: String.UTF8View, to limit: Int) -> Substring.UTF8View {
  var start = name.prefix(limit)
  while start.count < name.count, name[start.endIndex] & 0xC0 == 0x80 { start.removeLast() }
  return start
}
