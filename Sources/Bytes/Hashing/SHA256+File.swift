/// The hash and size of a file's bytes.
package func sha256(
  ofFileAt path: String
) throws(FileError) -> (digest: SHA256Digest, size: Int) {
  var file = try InputFile(opening: path)
  var hash = SHA256()
  var size = 0
  var buffer: [UInt8] = []
  while true {
    let count = try file.read(into: &buffer, atMost: 1 << 20)
    if count == 0 { return (hash.finish(), size) }
    hash.update(buffer.span)
    size += count
    buffer.removeAll(keepingCapacity: true)
  }
}
