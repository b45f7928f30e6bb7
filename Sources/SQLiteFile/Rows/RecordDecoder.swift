import Bytes

/// Takes a record apart, as section 2.1 of the file format describes it.
struct RecordDecoder {
  let shape: TableShape
  /// Where the bytes of columns' defaults begin.
  var defaultsStart = 0

  /// Appends the values of the record of a row, one for each column; false when the record is
  /// malformed.
  ///
  /// Eight bytes behind the record must be inside of `bytes`.
  @inline(__always)
  func decode(
    _ bytes: Span<UInt8>, _ record: Range<Int>, key: Int64,
    into output: inout OutputSpan<StoredValue>
  ) -> Bool {
    var position = record.lowerBound
    guard let headerSize = varint(bytes, at: &position), headerSize <= UInt64(record.count),
      headerSize > 0
    else { return false }
    let headerEnd = record.lowerBound &+ Int(truncatingIfNeeded: headerSize)
    var body = headerEnd
    let first = output.count
    for column in 0..<shape.columnCount {
      guard position < headerEnd else {
        output.append(missingValue(ofColumn: column, key: key))
        continue
      }
      guard let type = varint(bytes, at: &position) else { return false }
      guard
        let value = value(
          bytes, type: type, column: column, at: &body, end: record.upperBound)
      else { return false }
      output.append(value)
    }
    // The engine never looks at what a record has in place of its key.
    if let place = shape.rowIDColumn { output[first &+ place] = .integer(key) }
    // Where the header was read to its end, it must account for every byte of the record.
    if position < headerEnd { return true }
    return position == headerEnd && body == record.upperBound
  }

  private func missingValue(ofColumn column: Int, key: Int64) -> StoredValue {
    if column == shape.rowIDColumn { return .integer(key) }
    return shape.defaults?.value(ofColumn: column, bytesAt: defaultsStart) ?? .missing
  }

  /// The value of one column, of which the bytes may be elsewhere; nil where the part of the record
  /// at hand does not tell.
  func valueAtHand(
    ofColumn wanted: Int, _ bytes: Span<UInt8>, _ local: Range<Int>, key: Int64
  ) -> StoredValue? {
    var position = local.lowerBound
    guard let headerSize = varint(bytes, at: &position), headerSize <= UInt64(local.count) else {
      return nil
    }
    let headerEnd = local.lowerBound &+ Int(truncatingIfNeeded: headerSize)
    var body = headerEnd
    for column in 0...wanted {
      guard position < headerEnd else { return missingValue(ofColumn: wanted, key: key) }
      guard let type = varint(bytes, at: &position),
        let value = value(
          bytes, type: type, column: column, at: &body, end: local.upperBound)
      else { return nil }
      if column == wanted { return column == shape.rowIDColumn ? .integer(key) : value }
    }
    return nil
  }

  @inline(__always)
  private func value(
    _ bytes: Span<UInt8>, type: UInt64, column: Int, at body: inout Int, end: Int
  ) -> StoredValue? {
    if type >= 12 {
      let length = (type &- 12) >> 1
      guard length <= UInt64(end &- body) else { return nil }
      let start = body
      body &+= Int(truncatingIfNeeded: length)
      return StoredValue(
        bits: UInt64(truncatingIfNeeded: start), length: UInt32(truncatingIfNeeded: length),
        kind: type & 1 == 0 ? .blob : .text)
    }
    if type == 0 { return .null }
    let size = Self.size(ofNumber: type)
    guard size >= 0, size <= end &- body else { return nil }
    let raw = loadWord(from: bytes, at: body).bigEndian
    body &+= size
    if type == 7 {
      let real = Double(bitPattern: raw)
      // The engine gives a number that is none as NULL.
      return real.isNaN ? .null : .real(real)
    }
    let integer =
      size > 0
      ? Int64(bitPattern: raw) &>> (64 &- Int64(size) &* 8) : Int64(truncatingIfNeeded: type &- 8)
    return shape.isReal[column] ? .real(Double(integer)) : .integer(integer)
  }

  /// How many bytes a number takes; -1 for the two types that no file holds.
  @inline(__always)
  static func size(ofNumber type: UInt64) -> Int {
    // One hexadecimal digit for each type from 0 on; 15 means none.
    let sizes: UInt64 = 0xFF00_8864_3210
    let size = Int(truncatingIfNeeded: sizes >> (type &* 4) & 15)
    return size == 15 ? -1 : size
  }

  /// Whether the header of a record accounts for each of its `size` bytes.
  ///
  /// `local` is the part of it at hand; a header that goes on elsewhere is not looked at.
  @inline(__always)
  static func isSound(_ bytes: Span<UInt8>, _ local: Range<Int>, size: Int) -> Bool {
    var position = local.lowerBound
    guard let headerSize = varint(bytes, at: &position), headerSize > 0, headerSize <= UInt64(size)
    else { return false }
    guard headerSize <= UInt64(local.count) else { return true }
    let end = local.lowerBound &+ Int(truncatingIfNeeded: headerSize)
    guard position <= end else { return false }
    // Most headers tell each type in one byte, and then a sum says all.
    let shortTotal = RecordTypes.total(of: bytes.extracting(position..<end))
    if headerSize &+ shortTotal == UInt64(size) { return true }
    return accounts(for: UInt64(size) &- headerSize, bytes, from: position, to: end)
  }

  /// Whether the types from `start` to `end` are whole and known, and take so many bytes together.
  private static func accounts(
    for size: UInt64, _ bytes: Span<UInt8>, from start: Int, to end: Int
  ) -> Bool {
    var position = start
    var total: UInt64 = 0
    while position < end {
      guard let type = varint(bytes, at: &position) else { return false }
      if type >= 12 {
        // The sum stays far below the largest number, as each part is checked.
        let length = (type &- 12) >> 1
        guard length <= size else { return false }
        total &+= length
      } else {
        let length = Self.size(ofNumber: type)
        guard length >= 0 else { return false }
        total &+= UInt64(truncatingIfNeeded: length)
      }
    }
    return position == end && total == size
  }

  /// How many values the header of a record lists; nil when it is malformed.
  static func valueCount(_ bytes: Span<UInt8>, _ record: Range<Int>) -> Int? {
    var position = record.lowerBound
    guard let headerSize = varint(bytes, at: &position), headerSize <= UInt64(record.count),
      headerSize > 0
    else { return nil }
    let end = record.lowerBound + Int(truncatingIfNeeded: headerSize)
    var count = 0
    while position < end {
      guard varint(bytes, at: &position) != nil else { return nil }
      count += 1
    }
    return position == end ? count : nil
  }

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
}
