package import Bytes
import CZlib

/// How the bytes of an archive or of one of its members are packed.
package enum Packing: Sendable {
  case none
  /// Raw deflate (RFC 1951), as in ZIP.
  case deflate
  /// Deflate with a header and a checksum of its own (RFC 1950).
  case zlib
  /// Any number of gzip members (RFC 1952).
  case gzip

  /// What zlib calls the form; nil where nothing is packed.
  fileprivate var windowBits: Int32? {
    switch self {
    case .none: nil
    case .deflate: -15
    case .zlib: 15
    case .gzip: 31
    }
  }
}

/// The bytes of a part of a file, unpacked as they are read.
///
/// Whoever reads an archive and whoever reads its members share it, so it has identity.
package final class PackedStream {
  private let file: PositionedFile
  private let packing: Packing
  private let limits: ExpansionLimits
  private var stream: ZlibStream?
  private var next: Int
  private let end: Int
  private var pending: [UInt8] = []
  private var pendingPlace = 0
  private var hasEnded = false
  /// What is wrong behind the bytes that were handed on.
  private var failure: FormatError?
  /// How many bytes of the file were used.
  private(set) var packedCount = 0
  /// How many bytes were handed on.
  private(set) var plainCount = 0
  /// Whether something other than zeros follows the packed data.
  package private(set) var hasTrailingBytes = false

  /// Whether the bytes are not those of which the checksum behind them was taken.
  package var failsChecksum: Bool { failure?.code == .checksum }

  private static let step = 1 << 16

  /// Reads `count` bytes of a file from a place on.
  ///
  /// - Throws: `.limit` where zlib gets no memory.
  package init(
    _ file: PositionedFile, from offset: Int, count: Int, _ packing: Packing,
    limits: ExpansionLimits = ExpansionLimits()
  ) throws(FormatError) {
    self.file = file
    self.packing = packing
    self.limits = limits
    next = offset
    end = offset + count
    stream = try packing.windowBits.map { (bits) throws(FormatError) in
      try ZlibStream(unpacking: bits)
    }
  }

  /// Appends some more bytes and returns how many; zero at the end.
  ///
  /// - Throws: `.unreadable` when the file cannot be read, `.truncated` and `.invalid` where packed
  ///   data is, `.checksum` behind data that is not what it says, `.limit` where it unpacks to far
  ///   more than it is.
  package func read(
    into buffer: inout [UInt8], atMost size: Int = 1 << 16
  ) throws(FormatError) -> Int {
    guard !hasEnded, size > 0 else { return 0 }
    let before = buffer.count
    if stream == nil {
      try fill(&buffer, atMost: size)
    } else {
      while buffer.count == before, !hasEnded { try unpack(into: &buffer, atMost: size) }
    }
    let count = buffer.count - before
    plainCount += count
    if stream == nil { packedCount += count }
    if let excess = limits.excess(plain: plainCount, packed: packedCount, at: packedCount) {
      throw excess
    }
    return count
  }

  /// Passes over bytes, which costs nothing where they are not packed, and returns how many were there.
  func skip(_ count: Int) throws(FormatError) -> Int {
    guard stream != nil else {
      let step = min(count, end - next)
      next += step
      plainCount += step
      packedCount += step
      return step
    }
    var left = count
    var buffer: [UInt8] = []
    while left > 0 {
      buffer.removeAll(keepingCapacity: true)
      let step = try read(into: &buffer, atMost: min(left, Self.step))
      guard step > 0 else { break }
      left -= step
    }
    return count - left
  }

  private func unpack(into buffer: inout [UInt8], atMost size: Int) throws(FormatError) {
    if let failure { throw failure }
    if pendingPlace == pending.count {
      pending.removeAll(keepingCapacity: true)
      pendingPlace = 0
      try fill(&pending, atMost: Self.step)
    }
    let hasInput = pendingPlace < pending.count
    guard
      let step = stream?.unpack(
        pending.span.extracting(pendingPlace...), room: size, into: &buffer)
    else { return }
    pendingPlace += step.consumed
    packedCount += step.consumed
    failure = ZlibStream.failure(of: step, at: packedCount)
    if let failure {
      // The bytes before it are handed on first.
      guard step.produced > 0 else { throw failure }
      return
    }
    if step.status == Z_STREAM_END { return try endMember() }
    guard step.consumed > 0 || step.produced > 0 || hasInput else {
      throw FormatError(.truncated, at: packedCount, "packed data ends early")
    }
  }

  /// Goes on with the next gzip member where one follows, and else ends.
  private func endMember() throws(FormatError) {
    if packing == .gzip {
      if pending.count - pendingPlace < 2, next < end {
        pending.removeFirst(pendingPlace)
        pendingPlace = 0
        try fill(&pending, atMost: Self.step)
      }
      if pending.count - pendingPlace >= 2, pending[pendingPlace] == 0x1F,
        pending[pendingPlace + 1] == 0x8B
      {
        stream?.startNextMember()
        return
      }
    }
    hasTrailingBytes = pending[pendingPlace...].contains { $0 != 0 }
    hasEnded = true
  }

  private func fill(_ buffer: inout [UInt8], atMost size: Int) throws(FormatError) {
    let count = min(size, end - next)
    guard count > 0 else { return }
    do {
      try file.read(at: next, count: count, appendingTo: &buffer)
    } catch {
      throw FormatError(.unreadable(error.kind), at: next, error.message)
    }
    next += count
  }
}

/// How far packed data may grow before it is taken for a bomb.
package struct ExpansionLimits: Sendable {
  /// The most bytes that one member, or what is one stream, may have.
  var bytes = InputLimits.current.memberBytes
  /// How many times its packed size a large member may have.
  var ratio = InputLimits.current.ratio
  /// Up to this size nobody asks for the ratio.
  var harmless = 64 << 20

  /// The limits that honest archives stay under, unless the run has others.
  package init() {}

  /// None, for what is passed over or has its limits elsewhere.
  package static let none: ExpansionLimits = {
    var limits = ExpansionLimits()
    (limits.bytes, limits.harmless) = (.max, .max)
    return limits
  }()

  /// Those of what is passed over, which only takes time.
  static var passedOver: ExpansionLimits {
    var limits = ExpansionLimits()
    (limits.bytes, limits.harmless) = (.max, 1 << 30)
    return limits
  }

  /// What is too much about the sizes; nil where they may be.
  func excess(plain: Int, packed: Int, at offset: Int) -> FormatError? {
    if plain > bytes {
      return FormatError(
        .limit, at: offset, "the file unpacks to more than \(bytes) bytes", passing: .memberBytes)
    }
    let allowed = packed.multipliedReportingOverflow(by: ratio)
    guard plain > harmless, !allowed.overflow, plain > allowed.partialValue else { return nil }
    return FormatError(
      .limit, at: offset, "the file unpacks to more than \(ratio) times its packed size",
      passing: .ratio)
  }
}

/// The checksum of ZIP and gzip over bytes that arrive in pieces.
package struct CRC32: Sendable {
  /// The checksum of all bytes so far.
  package private(set) var value: UInt32 = 0

  /// Starts with no bytes.
  package init() {}

  /// Adds bytes behind those already there.
  package mutating func update(_ bytes: Span<UInt8>) {
    // zlib reads as many bytes as it is asked to, all of them the span's.
    unsafe bytes.withUnsafeBufferPointer { buffer in
      value = unsafe UInt32(
        truncatingIfNeeded: crc32_z(uLong(value), buffer.baseAddress, buffer.count))
    }
  }
}
