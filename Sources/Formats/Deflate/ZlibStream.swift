import CZlib

/// One zlib stream, unpacking or packing; the only code that calls zlib.
///
/// zlib keeps a pointer back to its `z_stream`, so the structure lives at a fixed address on the
/// heap, owned by this value alone.
@safe
struct ZlibStream: ~Copyable {
  /// What one call used and made.
  struct Step {
    let consumed: Int
    let produced: Int
    let status: Int32
    /// How the unpacked data differs from the checksum or the length behind it.
    var mismatch: String?
  }

  private enum Direction {
    case inflate
    case deflate
  }

  private let stream: UnsafeMutablePointer<z_stream>
  private let direction: Direction
  private let isGzip: Bool
  /// The last four bytes of the input, which are a checksum or a length where data ends.
  private var trailer: UInt32 = 0

  /// Prepares to unpack: `windowBits` is -15 for raw deflate, 31 for gzip.
  init(unpacking windowBits: Int32) throws(FormatError) {
    unsafe stream = try Self.prepare { unsafe rehome_inflate_init($0, windowBits) }
    isGzip = windowBits == 31
    direction = .inflate
  }

  /// Prepares to pack at a level from 0 to 9: `windowBits` is -15 for raw deflate, 31 for gzip.
  init(packing windowBits: Int32, level: Int32) throws(FormatError) {
    unsafe stream = try Self.prepare { unsafe rehome_deflate_init($0, level, windowBits) }
    isGzip = windowBits == 31
    direction = .deflate
  }

  deinit {
    // The stream was prepared by the matching call, and nothing can use it after this.
    switch direction {
    case .inflate: unsafe inflateEnd(stream)
    case .deflate: unsafe deflateEnd(stream)
    }
    unsafe stream.deallocate()
  }

  mutating func startNextMember() {
    // The stream was prepared for unpacking; on a packing stream zlib only reports an error.
    _ = unsafe inflateReset(stream)
  }

  /// Unpacks input until it or the room is used up, and appends what came out.
  mutating func unpack(
    _ input: Span<UInt8>, room: Int, into output: inout [UInt8]
  ) -> Step {
    var step = unsafe run(input, room: room, into: &output) { unsafe inflate($0, Z_NO_FLUSH) }
    for place in max(0, step.consumed - 4)..<step.consumed {
      trailer = trailer << 8 | UInt32(input[place])
    }
    if step.status == Z_DATA_ERROR { step.mismatch = mismatch() }
    return step
  }

  /// What a failure of zlib says where the data could be unpacked to its end; else nil.
  private func mismatch() -> String? {
    guard let message = unsafe stream.pointee.msg else { return nil }
    let told = isGzip ? trailer.byteSwapped : trailer
    switch unsafe String(cString: message) {
    case "incorrect data check":
      let found = unsafe String(stream.pointee.adler, radix: 16)
      return "the checksum of the unpacked data is \(found) in place of \(String(told, radix: 16))"
    case "incorrect length check":
      // The format keeps the lowest 32 bits of the length.
      let found = unsafe UInt32(truncatingIfNeeded: stream.pointee.total_out)
      return "the unpacked data has \(found) bytes in place of \(told)"
    default: return nil
    }
  }

  /// Packs input until it or the room is used up, and appends what came out.
  mutating func pack(
    _ input: Span<UInt8>, isLast: Bool, room: Int, into output: inout [UInt8]
  ) -> Step {
    unsafe run(input, room: room, into: &output) {
      unsafe deflate($0, isLast ? Z_FINISH : Z_NO_FLUSH)
    }
  }

  /// The trouble that a step ended with, or nil where work can go on.
  static func failure(of step: Step, at offset: Int) -> FormatError? {
    if let mismatch = step.mismatch { return FormatError(.checksum, at: offset, mismatch) }
    return switch step.status {
    case Z_OK, Z_STREAM_END, Z_BUF_ERROR: nil
    case Z_MEM_ERROR: FormatError(.limit, at: offset, "no memory is left for zlib")
    case Z_NEED_DICT: FormatError(.unsupported, at: offset, "compressed data needs a dictionary")
    default: FormatError(.invalid, at: offset, "compressed data is damaged")
    }
  }

  private static func prepare(
    _ initialise: (UnsafeMutablePointer<z_stream>) -> Int32
  ) throws(FormatError) -> UnsafeMutablePointer<z_stream> {
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    // All fields zero means: default allocator, no input yet.
    unsafe stream.initialize(to: z_stream())
    guard unsafe initialise(stream) == Z_OK else {
      unsafe stream.deallocate()
      throw FormatError(.limit, at: 0, "no memory is left for zlib")
    }
    return unsafe stream
  }

  /// Hands out input and fresh room to one zlib call.
  ///
  /// The pointers are valid only inside the closures, and are taken back before they end. zlib
  /// never writes more than `avail_out` bytes, so the first `produced` bytes are initialised.
  private mutating func run(
    _ input: Span<UInt8>, room: Int, into output: inout [UInt8],
    _ call: (UnsafeMutablePointer<z_stream>) -> Int32
  ) -> Step {
    let given = uInt(clamping: min(input.count, 1 << 30))
    let stream = unsafe self.stream
    var status = Z_OK
    let before = output.count
    unsafe input.withUnsafeBufferPointer { source in
      output.append(addingCapacity: room) { (free: inout OutputSpan<UInt8>) in
        unsafe free.withUnsafeMutableBufferPointer { target, initialized in
          let space = uInt(clamping: min(room, target.count))
          unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
          unsafe stream.pointee.avail_in = given
          unsafe stream.pointee.next_out = target.baseAddress
          unsafe stream.pointee.avail_out = space
          status = unsafe call(stream)
          initialized = unsafe Int(space - stream.pointee.avail_out)
          unsafe stream.pointee.next_in = nil
          unsafe stream.pointee.next_out = nil
        }
      }
    }
    let left = unsafe stream.pointee.avail_in
    return Step(consumed: Int(given - left), produced: output.count - before, status: status)
  }
}
