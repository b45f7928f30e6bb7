extension OutputSpan<UInt8> {
  /// Appends the eight bytes of a number, most significant first.
  @inlinable
  package mutating func appendBigEndian(_ value: UInt64) {
    unsafe append(size: 8) { target in
      // Eight bytes are asked for, and exactly these are written.
      unsafe UnsafeMutableRawPointer(target).storeBytes(of: value.bigEndian, as: UInt64.self)
    }
  }

  /// Appends the four bytes of a number, most significant first.
  @inlinable
  package mutating func appendBigEndian(_ value: UInt32) {
    unsafe append(size: 4) { target in
      // Four bytes are asked for, and exactly these are written.
      unsafe UnsafeMutableRawPointer(target).storeBytes(of: value.bigEndian, as: UInt32.self)
    }
  }
}

extension [UInt8] {
  /// Appends the eight bytes of a number, most significant first.
  @inlinable
  package mutating func appendBigEndian(_ value: UInt64) {
    append(addingCapacity: 8) { $0.appendBigEndian(value) }
  }

  /// Appends the four bytes of a number, most significant first.
  @inlinable
  package mutating func appendBigEndian(_ value: UInt32) {
    append(addingCapacity: 4) { $0.appendBigEndian(value) }
  }
}
