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
  ///   `.limit` where it unpacks to too many bytes.
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
    if let failure = ZlibStream.failure(of: step.status, at: consumed) { throw failure }
    guard produced <= limit else {
      throw FormatError(.limit, at: consumed, "gzip data unpacks to too many bytes")
    }
  }
}
