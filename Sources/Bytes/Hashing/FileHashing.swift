import Synchronization

/// The hash of a file, taken on the way while many short messages are hashed.
///
/// Two hashes at once take hardly longer than one, because each has to wait for its own results.
package final class FileHashing: Sendable {
  private let lane: Mutex<FileHashLane>
  /// A permit once nobody hashes messages any more.
  private let isLeft = CountingSemaphore(0)
  private let isWanted = Atomic(true)

  /// Opens a file.
  package init(ofFileAt path: String) throws(FileError) {
    lane = Mutex(try FileHashLane(ofFileAt: path))
  }

  /// Lends the hash, and says whether it could: another thread may have it.
  package func lend(to body: (inout FileHashLane) -> Void) -> Bool {
    lane.withLockIfAvailable { body(&$0) } != nil
  }

  /// Says that no messages will be hashed any more.
  package func leave() { isLeft.signal() }

  /// Says that the hash will not be used, whatever it is.
  package func abandon() {
    isWanted.store(false, ordering: .relaxed)
    leave()
  }

  /// Waits until it is left, and hashes the rest of the file.
  package func finish() throws(FileError) -> (digest: SHA256Digest, size: Int) {
    isLeft.wait()
    while isWanted.load(ordering: .relaxed), lane.withLock({ $0.refill() }) {}
    return try lane.withLock { $0.take() }.get()
  }
}

/// What is known of a file's hash, for the thread that has it.
package struct FileHashLane: ~Copyable {
  private var file: InputFile
  private var hash = SHA256()
  private var size = 0
  /// What was read, and how much of it is hashed.
  private var buffer: [UInt8] = []
  private var place = 0
  private var failure: FileError?

  /// How many bytes are read at a time.
  private static let bufferSize = 1 << 20
  /// Messages that are longer are not worth it: what is left of the buffer is hashed alone.
  private static let longestMessage = 16 << 10

  fileprivate init(ofFileAt path: String) throws(FileError) {
    file = try InputFile(opening: path)
  }

  /// The hash of a message that `endSHA256Message` ends; nil where nothing of the file is left to
  /// be hashed beside it.
  package mutating func sha256(padded message: Span<UInt8>) -> SHA256Digest? {
    guard message.count <= Self.longestMessage else { return nil }
    if message.count > buffer.count &- place { _ = refill() }
    let end = place &+ message.count
    guard end <= buffer.count, hash.isBetweenBlocks else { return nil }
    let blocks = place..<end
    place = end
    let bytes = buffer
    return hash.update(bytes.span.extracting(blocks), hashing: message)
  }

  /// The hash of what was read so far.
  fileprivate mutating func take() -> Result<(digest: SHA256Digest, size: Int), FileError> {
    if let failure { return .failure(failure) }
    return .success((hash.finish(), size))
  }

  /// Hashes the rest of what was read, and reads on; false at the end of the file.
  fileprivate mutating func refill() -> Bool {
    var bytes: [UInt8] = []
    swap(&bytes, &buffer)
    hash.update(bytes.span.extracting(place...))
    bytes.removeAll(keepingCapacity: true)
    swap(&bytes, &buffer)
    place = 0
    guard failure == nil else { return false }
    do {
      size += try file.read(into: &buffer, atMost: Self.bufferSize)
    } catch {
      failure = error
    }
    return !buffer.isEmpty
  }
}
