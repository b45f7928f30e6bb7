/// The hash and size of a file's bytes.
package func sha256(
  ofFileAt path: String
) throws(FileError) -> (digest: SHA256Digest, size: Int) {
  let file = try FileHashing(ofFileAt: path)
  file.leave()
  return try file.finish()
}
