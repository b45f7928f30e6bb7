import CZlib

/// Unpacks raw deflate data (RFC 1951, no header), and ignores what follows its last block.
///
/// - Throws: `.truncated` where the data ends early, `.invalid` where it is damaged, `.limit` where
///   it unpacks to more than `limit` bytes.
package func inflateRaw(_ bytes: Span<UInt8>, limit: Int) throws(FormatError) -> [UInt8] {
  var consumed = 0
  return try inflateRaw(bytes, limit: limit, consumed: &consumed)
}

/// Unpacks raw deflate data and tells how many bytes of the input it took.
///
/// - Throws: The same as `inflateRaw(_:limit:)`.
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
    if let failure = ZlibStream.failure(of: step.status, at: consumed) { throw failure }
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
