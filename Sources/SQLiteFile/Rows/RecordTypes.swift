/// The types of a record's values, where its header tells each in one byte.
enum RecordTypes {
  /// How many bytes the values of such types take together.
  ///
  /// Where a type is unknown or takes more than one byte, that is more than any record has.
  @inline(__always)
  static func total(of types: Span<UInt8>) -> UInt64 {
    var total: UInt64 = 0
    for place in types.indices { total &+= sizes[Int(types[place])] }
    return total
  }

  /// How many bytes a value takes, by its type.
  private static let sizes: InlineArray<256, UInt64> = {
    var sizes = InlineArray<256, UInt64>(repeating: 1 << 32)
    for type in 0..<12 {
      let size = RecordDecoder.size(ofNumber: UInt64(type))
      if size >= 0 { sizes[type] = UInt64(size) }
    }
    for type in 12..<128 { sizes[type] = UInt64(type - 12) / 2 }
    return sizes
  }()
}
