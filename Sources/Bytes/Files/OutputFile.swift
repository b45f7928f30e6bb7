import Glibc

/// Buffered output to a file or to an open descriptor such as standard output.
///
/// What is still in the buffer when the value goes away without `close` is lost. After an error
/// nobody knows how much was written.
package struct OutputFile: ~Copyable {
  private let descriptor: FileDescriptor
  private var buffer: [UInt8] = []
  /// Nil where the file need not outlive the run.
  private var early: EarlyFlushing?

  private static let capacity = 1 << 16

  /// Creates a file that must not exist yet and only its owner may read; whether it will be made durable
  /// tells if the disk is to begin with it early.
  package init(creating path: String, isDurable: Bool = false) throws(FileError) {
    descriptor = try FileDescriptor(
      opening: path, O_WRONLY | O_CREAT | O_EXCL, operation: "create")
    if isDurable { early = EarlyFlushing(from: 0) }
  }

  /// Writes behind what an existing file holds, or behind as much of it as shall stay.
  package init(
    appendingTo path: String, keeping size: Int? = nil, isDurable: Bool = false
  ) throws(FileError) {
    let file = try FileDescriptor(
      opening: path, O_WRONLY | O_APPEND, operation: "open")
    if let size { try file.cut(to: size) }
    if isDurable { early = EarlyFlushing(from: try file.size()) }
    descriptor = file
  }

  /// Writes to a descriptor that somebody else closes; `path` stands for it in errors.
  package init(descriptor: Int32, path: String) {
    self.descriptor = FileDescriptor(borrowing: descriptor, path: path)
  }

  /// Adds bytes to the file.
  package mutating func write(_ bytes: Span<UInt8>) throws(FileError) {
    if buffer.count + bytes.count > Self.capacity { try flush() }
    // Copying bytes that fill the buffer would only cost time.
    if bytes.count >= Self.capacity { return try handOn(bytes) }
    if buffer.capacity == 0 { buffer.reserveCapacity(Self.capacity) }
    buffer.append(bytes)
  }

  /// Hands what is in the buffer to the system.
  package mutating func flush() throws(FileError) {
    // The buffer is emptied first, so that nothing is written twice after an error.
    var pending: [UInt8] = []
    swap(&pending, &buffer)
    try handOn(pending.span)
    pending.removeAll(keepingCapacity: true)
    swap(&pending, &buffer)
  }

  private mutating func handOn(_ bytes: Span<UInt8>) throws(FileError) {
    try descriptor.write(bytes)
    early?.note(bytes.count, of: descriptor)
  }

  /// Makes everything written so far durable.
  package mutating func synchronize() throws(FileError) {
    try flush()
    try descriptor.synchronize()
  }

  /// Writes what is left and closes the file; a borrowed descriptor stays open.
  package consuming func close() throws(FileError) {
    try flush()
    try descriptor.close()
  }
}

/// An existing file that grows at its end, and of which single places are read and replaced.
///
/// What was appended and not flushed is lost when the value goes away.
package struct GrowingFile: ~Copyable {
  private let descriptor: FileDescriptor
  private var buffer: [UInt8] = []
  private var flushedEnd = 0
  /// Nil where the file need not outlive the run.
  private var early: EarlyFlushing?

  private static let capacity = 256 << 10

  /// Opens a file; what is appended overwrites it until `moveEnd` says where its end is.
  ///
  /// Whether it will be made durable tells if the disk is to begin with it early.
  package init(opening path: String, isDurable: Bool = false) throws(FileError) {
    descriptor = try FileDescriptor(opening: path, O_RDWR)
    buffer.reserveCapacity(Self.capacity)
    if isDurable { early = EarlyFlushing(from: 0) }
  }

  /// Says where the file ends, after somebody else has changed it.
  package mutating func moveEnd(to offset: Int) throws(FileError) {
    try flush()
    flushedEnd = offset
    if early != nil { early = EarlyFlushing(from: offset) }
  }

  /// Adds bytes to the end.
  package mutating func append(_ bytes: Span<UInt8>) throws(FileError) {
    if buffer.count + bytes.count > Self.capacity { try flush() }
    buffer.append(bytes)
  }

  /// Hands what was appended to the system.
  package mutating func flush() throws(FileError) {
    try descriptor.write(buffer.span, at: flushedEnd)
    flushedEnd += buffer.count
    early?.note(buffer.count, of: descriptor)
    buffer.removeAll(keepingCapacity: true)
  }

  /// Replaces bytes that were flushed before.
  package func replace(at offset: Int, with bytes: Span<UInt8>) throws(FileError) {
    try descriptor.write(bytes, at: offset)
  }

  /// Takes everything behind a place away; a file that is shorter stays as it is.
  package func cut(to size: Int) throws(FileError) {
    if try descriptor.size() > size { try descriptor.cut(to: size) }
  }

  /// The `count` bytes at a place.
  ///
  /// - Throws: `FileError` also when the file ends before them.
  package func read(at offset: Int, count: Int) throws(FileError) -> [UInt8] {
    var bytes: [UInt8] = []
    try descriptor.read(at: offset, count: count, appendingTo: &bytes)
    return bytes
  }
}
