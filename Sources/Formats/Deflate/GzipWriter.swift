import CZlib

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
