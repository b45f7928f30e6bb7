import CZlib

/// Unpacks gzip data (RFC 1952) chunk by chunk, through any number of members.
///
/// Give each chunk to `unpack`, again with the rest of it until `wantsInput` is true, and call
/// `finish` when the input ends. zlib checks each member's checksum and length.
package struct GzipReader: ~Copyable {
  private var stream: ZlibStream
  private let limit: Int
  private var consumed = 0
  private var produced = 0
  private var memberHasEnded = false
  /// Whether everything given so far is unpacked, so that only more input can bring more output.
  package private(set) var wantsInput = true

  /// Prepares to unpack at most `limit` bytes in all.
  ///
  /// - Throws: `.limit` where zlib gets no memory.
  package init(limit: Int = .max) throws(FormatError) {
    stream = try ZlibStream(unpacking: 31)
    self.limit = limit
  }

  /// Unpacks a chunk, appends at most `room` bytes, and returns how much of the chunk it used.
  ///
  /// - Throws: `.invalid` where the data is damaged or something other than a gzip member follows,
  ///   `.checksum` where its checksum or length is another, `.limit` where it unpacks to too many
  ///   bytes.
  package mutating func unpack(
    _ input: Span<UInt8>, room: Int, into output: inout [UInt8]
  ) throws(FormatError) -> Int {
    precondition(room > 0, "unpacking needs room")
    var used = 0
    var left = room
    while left > 0 {
      if memberHasEnded {
        guard used < input.count else { break }
        stream.startNextMember()
        memberHasEnded = false
      }
      let step = stream.unpack(input.extracting(used...), room: left, into: &output)
      used += step.consumed
      left -= step.produced
      try account(for: step)
      if step.status == Z_STREAM_END {
        memberHasEnded = true
      } else if step.consumed == 0, step.produced == 0 {
        break
      }
    }
    wantsInput = left > 0
    return used
  }

  /// Checks that the input ended at the end of a member.
  ///
  /// - Throws: `.truncated` where it did not, also for no input at all.
  package consuming func finish() throws(FormatError) {
    guard memberHasEnded else {
      throw FormatError(.truncated, at: consumed, "gzip data ends early")
    }
  }

  private mutating func account(for step: ZlibStream.Step) throws(FormatError) {
    consumed += step.consumed
    produced += step.produced
    if let failure = ZlibStream.failure(of: step, at: consumed) { throw failure }
    guard produced <= limit else {
      throw FormatError(.limit, at: consumed, "gzip data unpacks to too many bytes")
    }
  }
}

/// Packs bytes into one gzip member chunk by chunk; equal input gives equal output.
package struct GzipWriter: ~Copyable {
  private var stream: ZlibStream

  /// Prepares to pack at a level from 0 (stored) to 9 (smallest).
  ///
  /// - Throws: `.limit` where zlib gets no memory.
  package init(level: Int = 6) throws(FormatError) {
    precondition((0...9).contains(level), "a gzip level is 0 to 9")
    stream = try ZlibStream(packing: 31, level: Int32(level))
  }

  /// Packs a chunk and appends what is ready; the rest stays inside until later.
  package mutating func pack(_ input: Span<UInt8>, into output: inout [UInt8]) {
    var used = 0
    while used < input.count {
      let step = stream.pack(
        input.extracting(used...), isLast: false, room: packingStep, into: &output)
      used += step.consumed
    }
  }

  /// Appends everything that is still inside, and the checksum.
  package consuming func finish(into output: inout [UInt8]) {
    let nothing: [UInt8] = []
    var status = Z_OK
    while status == Z_OK {
      let step = stream.pack(nothing.span, isLast: true, room: packingStep, into: &output)
      status = step.status
    }
  }
}

/// How many bytes of output are asked for at once.
private let packingStep = 32 * 1024

/// Unpacks raw deflate data (RFC 1951, no header), and ignores what follows its last block.
///
/// - Throws: `.truncated` where the data ends early, `.invalid` where it is damaged, `.limit` where
///   it unpacks to more than `limit` bytes.
package func inflateRaw(_ bytes: Span<UInt8>, limit: Int) throws(FormatError) -> [UInt8] {
  var consumed = 0
  return try inflateRaw(bytes, limit: limit, consumed: &consumed)
}

/// Unpacks raw deflate data and tells how many bytes of the input it took.
package func inflateRaw(
  _ bytes: Span<UInt8>, limit: Int, consumed: inout Int
) throws(FormatError) -> [UInt8] {
  var stream = try ZlibStream(unpacking: -15)
  var output: [UInt8] = []
  consumed = 0
  while true {
    // One byte more than allowed tells a bomb from data that just fits.
    let allowed = max(0, limit) - output.count
    let room = min(unpackingStep, allowed) + (allowed < unpackingStep ? 1 : 0)
    let step = stream.unpack(bytes.extracting(consumed...), room: room, into: &output)
    consumed += step.consumed
    if let failure = ZlibStream.failure(of: step, at: consumed) { throw failure }
    guard output.count <= max(0, limit) else {
      throw FormatError(.limit, at: consumed, "compressed data unpacks to too many bytes")
    }
    if step.status == Z_STREAM_END { return output }
    guard step.consumed > 0 || step.produced > 0 else {
      throw FormatError(.truncated, at: consumed, "compressed data ends early")
    }
  }
}

/// How many bytes of output are asked for at once.
private let unpackingStep = 64 * 1024
