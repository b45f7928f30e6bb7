import Bytes
package import Formats
import Records

/// A JSON file that is being read, shared by what reads its parts; errors name the file.
final class JSONTokens {
  let path: String
  let stream: ByteStream
  private var reader: JSONReader

  /// Reads a stream that begins at the byte `offset` of its file.
  init(
    path: String, stream: ByteStream, framing: JSONReader.Framing = .document, offset: Int = 0
  ) {
    self.path = path
    self.stream = stream
    reader = JSONReader(stream, framing: framing, offset: offset)
  }

  var position: String { "byte \(reader.tokenOffset)" }

  /// Lends the reader for many tokens.
  func withReader<Value>(
    _ body: (inout JSONReader) throws(FormatError) -> Value
  ) throws(StoreError) -> Value {
    do { return try body(&reader) } catch { throw located(error) }
  }

  /// The next token; nil at the end.
  func next() throws(StoreError) -> JSONReader.Token? {
    do { return try reader.next() } catch { throw located(error) }
  }

  /// The next token, which must be this one.
  func expect(_ token: JSONReader.Token, _ what: String) throws(StoreError) {
    guard try next() == token else { throw unexpected("\(what) is missing") }
  }

  /// The next key of an object, which must be this one.
  func expectKey(_ key: String) throws(StoreError) {
    guard try next() == .key, reader.text.elementsEqual(key.utf8) else {
      throw unexpected("the member \(key) is missing")
    }
  }

  /// The next value, for small ones.
  func readValue() throws(StoreError) -> JSONValue {
    guard let token = try next() else { throw unexpected("a value is missing") }
    do { return try reader.readValue(from: token) } catch { throw located(error) }
  }

  /// Appends the value that starts with the current token.
  func appendValue(
    from token: JSONReader.Token, to output: inout [UInt8]
  ) throws(StoreError) {
    do { try reader.appendValue(from: token, to: &output) } catch { throw located(error) }
  }

  /// The text of the current token.
  var text: [UInt8] { reader.text }

  /// Throws unless the document is at its end.
  func expectEnd() throws(StoreError) {
    guard try next() == nil else { throw unexpected("something follows the document") }
  }

  /// An error at the current token.
  func unexpected(_ message: String) -> StoreError { located(reader.unexpected(message)) }

  private func located(_ error: FormatError) -> StoreError { StoreError(error, in: path) }
}

extension StoreError {
  /// The error of a format with its place in a file.
  package init(_ error: FormatError, in path: String) {
    self.init(error.kind, path: path, "\(error)", hint: error.hint)
  }
}
