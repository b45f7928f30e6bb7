import Bytes
import Formats
package import Records

/// Where an export goes: a file that appears when it is complete, or a stream; packed if wanted.
package struct ExportOutput: ~Copyable, ByteSink {
  private var file: StagedOutput?
  private let stream: (([UInt8]) throws(StoreError) -> Void)?
  private var gzip: GzipWriter?
  private var packed: [UInt8] = []

  /// Begins a file, which is packed with gzip when its name ends in `.gz`.
  ///
  /// - Throws: `StoreError` when the file exists and may not be replaced, or cannot be made.
  package init(toFileAt path: String, replacing: Bool) throws(StoreError) {
    let isPacked = ExportOutput.isPacked(path)
    do {
      gzip = isPacked ? try GzipWriter() : nil
    } catch {
      throw StoreError(.limit, path: path, "there is no memory to pack it")
    }
    file = try storeErrors { () throws(FileError) in
      try StagedOutput(for: path, replacing: replacing)
    }
    stream = nil
  }

  /// Writes to a stream, such as standard output, which stays open.
  package init(to stream: @escaping ([UInt8]) throws(StoreError) -> Void) {
    self.stream = stream
  }

  /// Whether a file of this name is packed.
  package static func isPacked(_ path: String) -> Bool {
    path.lowercased().hasSuffix(".gz")
  }

  package mutating func write(_ bytes: [UInt8]) throws(StoreError) {
    guard gzip != nil else { return try put(bytes) }
    gzip?.pack(bytes.span, into: &packed)
    try put(packed)
    packed.removeAll(keepingCapacity: true)
  }

  /// Writes what is left and gives a file its name.
  package consuming func finish() throws(StoreError) {
    if let gzip = gzip.take() {
      gzip.finish(into: &packed)
      try put(packed)
    }
    guard let file = file.take() else { return }
    do {
      try file.publish()
    } catch {
      throw StoreError(error)
    }
  }

  private mutating func put(_ bytes: [UInt8]) throws(StoreError) {
    if let stream { return try stream(bytes) }
    do {
      try file?.write(bytes.span)
    } catch {
      throw StoreError(error)
    }
  }
}
