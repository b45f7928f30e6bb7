import Glibc

/// An open file's number, closed when the value goes away unless it was only borrowed.
struct FileDescriptor: ~Copyable {
  private var number: Int32
  private let isOwned: Bool

  let path: String

  /// Opens a path with the flags of `open(2)`.
  init(opening path: String, _ flags: Int32, operation: String = "open") throws(FileError) {
    // A zero byte would end the path early, and another file would be opened.
    guard !path.utf8.contains(0) else {
      throw FileError(operation: operation, path: path, errno: EINVAL)
    }
    try self.init(opening: systemPath(path), shown: path, flags, operation: operation)
  }

  /// Opens a path that need not be UTF-8; errors call it as it is `shown`.
  init(
    opening path: SystemPath, shown: String, _ flags: Int32, operation: String = "open"
  ) throws(FileError) {
    // The array ends with a zero, which makes it a C string.
    let opened = retrying { unsafe open(path, flags | O_CLOEXEC, 0o600) }
    guard opened >= 0 else { throw FileError(operation: operation, path: shown, errno: errno) }
    number = opened
    isOwned = true
    self.path = shown
  }

  /// Uses a descriptor that somebody else opened and will close.
  init(borrowing number: Int32, path: String) {
    self.number = number
    self.path = path
    isOwned = false
  }

  deinit {
    if isOwned, number >= 0 { _ = Glibc.close(number) }
  }

  /// Throws unless this is a plain file: `EISDIR` for a folder, else `ESPIPE`.
  func expectFile() throws(FileError) {
    var status = stat()
    // The call fills the structure it is given, or fails.
    guard unsafe fstat(number, &status) == 0 else { throw error("read") }
    let kind = status.st_mode & S_IFMT
    guard kind != S_IFREG else { return }
    throw FileError(operation: "read", path: path, errno: kind == S_IFDIR ? EISDIR : ESPIPE)
  }

  /// Throws where nothing can be read from start to end: `EISDIR` for a folder, `ESPIPE` for a disk.
  func expectStream() throws(FileError) {
    var status = stat()
    // The call fills the structure it is given, or fails.
    guard unsafe fstat(number, &status) == 0 else { throw error("read") }
    let kind = status.st_mode & S_IFMT
    guard kind == S_IFDIR || kind == S_IFBLK else { return }
    throw FileError(operation: "read", path: path, errno: kind == S_IFDIR ? EISDIR : ESPIPE)
  }

  /// Reads some bytes; zero at the end of the file.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
    // The call writes at most `count` bytes behind the buffer's start.
    let size = retrying { unsafe Glibc.read(number, buffer.baseAddress, buffer.count) }
    if size < 0 { throw error("read") }
    return size
  }

  /// Waits so long for bytes, or for the end; false when neither has come.
  func isReadable(withinMilliseconds time: Int32) -> Bool {
    var request = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
    // One structure and a count of one; whatever went wrong shows in the next read.
    return unsafe poll(&request, 1, time) > 0
  }

  /// Appends as many bytes from a place in the file, without moving on; fails where it ends before.
  func read(
    at offset: Int, count: Int, appendingTo bytes: inout [UInt8]
  ) throws(FileError) {
    try bytes.append(addingCapacity: count) { (output) throws(FileError) in
      // The room has at least `count` bytes, and the call fills as many or throws.
      try unsafe output.withUnsafeMutableBufferPointer { (room, written) throws(FileError) in
        try unsafe read(at: offset, into: UnsafeMutableRawBufferPointer(room), count: count)
        written = count
      }
    }
  }

  private func read(
    at offset: Int, into buffer: UnsafeMutableRawBufferPointer, count: Int
  ) throws(FileError) {
    var start = 0
    while start < count {
      // The call writes at most `count` bytes behind the start, all of them the buffer's.
      let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[start..<count])
      let size = retrying { unsafe pread(number, rest.baseAddress, rest.count, offset + start) }
      if size < 0 { throw error("read") }
      guard size > 0 else { throw FileError(operation: "read", path: path, errno: EIO) }
      start += size
    }
  }

  /// How many bytes the file has.
  func size() throws(FileError) -> Int {
    var status = stat()
    // The call fills the structure it is given, or fails.
    guard unsafe fstat(number, &status) == 0 else { throw error("look at") }
    return Int(status.st_size)
  }

  /// Writes all of the bytes.
  func write(_ bytes: Span<UInt8>) throws(FileError) {
    var start = 0
    while start < bytes.count {
      start += try writeSome(bytes.extracting(start..<bytes.count))
    }
  }

  /// Writes all of the bytes at a place in the file, without moving on.
  func write(_ bytes: Span<UInt8>, at offset: Int) throws(FileError) {
    var start = 0
    while start < bytes.count {
      // The call reads at most `count` bytes, all of them the span's.
      let size = unsafe bytes.extracting(start..<bytes.count).withUnsafeBytes { buffer in
        retrying { unsafe pwrite(number, buffer.baseAddress, buffer.count, offset + start) }
      }
      if size < 0 { throw error("write") }
      start += size
    }
  }

  /// Lets the disk begin with what was written to some places; what goes wrong is told when the file is
  /// made durable.
  func beginFlushing(_ places: Range<Int>) {
    // The number is `SYNC_FILE_RANGE_WRITE`: begin, and wait for nothing.
    _ = syncFileRange?(number, places.lowerBound, places.count, 2)
  }

  private func writeSome(_ bytes: Span<UInt8>) throws(FileError) -> Int {
    // The call reads at most `count` bytes, all of them the span's.
    let size = unsafe bytes.withUnsafeBytes { buffer in
      retrying { unsafe Glibc.write(number, buffer.baseAddress, buffer.count) }
    }
    if size >= 0 { return size }
    guard errno == EAGAIN else { throw error("write") }
    // Somebody made a shared descriptor non-blocking; wait until it takes more.
    var request = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
    _ = unsafe poll(&request, 1, -1)
    return 0
  }

  /// Makes the file end at a place.
  func cut(to size: Int) throws(FileError) {
    guard retrying({ ftruncate(number, size) }) == 0 else { throw error("write") }
  }

  /// Makes what was written durable; nothing to do where that has no meaning, as in a pipe.
  func synchronize() throws(FileError) {
    guard retrying({ fsync(number) }) != 0 else { return }
    if errno != EINVAL, errno != EROFS, errno != ENOTSUP { throw error("write") }
  }

  /// Locks the whole file for this descriptor alone, or beside others that share it, without waiting.
  ///
  /// - Returns: whether nobody else had locked it, or they share it.
  func lock(sharing: Bool = false) throws(FileError) -> Bool {
    guard retrying({ flock(number, (sharing ? LOCK_SH : LOCK_EX) | LOCK_NB) }) != 0 else {
      return true
    }
    guard errno == EWOULDBLOCK else { throw error("lock") }
    return false
  }

  /// Gives the lock back, also for copies of the descriptor, as a child has that is just being started.
  func unlock() { _ = retrying { flock(number, LOCK_UN) } }

  /// Closes the file and reports what only closing brings to light.
  consuming func close() throws(FileError) {
    guard isOwned else { return }
    let open = number
    number = -1
    // After an interruption the descriptor is closed all the same.
    if Glibc.close(open) != 0, errno != EINTR { throw error("write") }
  }

  private func error(_ operation: String) -> FileError {
    FileError(operation: operation, path: path, errno: errno)
  }
}

/// Repeats a system call for as long as signals interrupt it.
func retrying<Result: SignedInteger>(_ call: () -> Result) -> Result {
  while true {
    let result = call()
    if result != -1 || errno != EINTR { return result }
  }
}

/// The right to be the only process that works with a file, held until the value goes away.
///
/// The system takes it back when the process ends, however that happens. It binds only those who
/// ask for it, and does not keep anybody from reading.
package struct FileLock: ~Copyable {
  private let descriptor: FileDescriptor

  private init(descriptor: consuming FileDescriptor) { self.descriptor = descriptor }

  deinit { descriptor.unlock() }

  /// Takes the lock on a file that exists; nil when somebody else has it.
  package static func take(on path: String) throws(FileError) -> FileLock? {
    let descriptor = try FileDescriptor(opening: path, O_RDONLY)
    guard try descriptor.lock() else { return nil }
    return FileLock(descriptor: descriptor)
  }

  /// Keeps others from beginning to work with a file while it is replaced, which several may do; nil
  /// where there is none, or none that can be locked.
  ///
  /// - Throws: where somebody works with it, and would go on with a file that no longer has its name.
  static func take(onReplaced path: String) throws(FileError) -> FileLock? {
    // Whoever works with a file can read it and lock it; what fails here is replaced as any other.
    guard let descriptor = try? FileDescriptor(opening: path, O_RDONLY | O_NONBLOCK),
      let isFree = try? descriptor.lock(sharing: true)
    else { return nil }
    guard isFree else { throw FileError(operation: "replace", path: path, errno: EWOULDBLOCK) }
    return FileLock(descriptor: descriptor)
  }
}

/// Linux's `sync_file_range(2)`, which the module does not show, so it is looked up by name; its type is
/// the one that the manual gives.
private let syncFileRange: (@convention(c) (Int32, Int, Int, UInt32) -> Int32)? =
  unsafe dlsym(nil, "sync_file_range").map { symbol in
    unsafe unsafeBitCast(symbol, to: (@convention(c) (Int32, Int, Int, UInt32) -> Int32).self)
  }
