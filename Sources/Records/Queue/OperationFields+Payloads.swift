import Bytes

extension OperationFields {
  var raw: RawValue? {
    get {
      range(of: .raw).flatMap { Self.raw(bytes[$0]) }
    }
    set {
      // Without an item nothing depends on the payload.
      guard let item else { return set(.raw, to: newValue.map(Self.packed)) }
      self.item = nil
      set(.raw, to: newValue.map(Self.packed))
      self.item = item
    }
  }

  /// The item; where it is a part of the payload as stored, only its place takes memory.
  var item: [UInt8]? {
    get { itemRange(places).map { Array(bytes[$0]) } }
    set {
      guard let newValue else { return set(.item, to: nil) }
      let raw = range(of: .raw) ?? 0..<0
      let offset = Self.offset(of: newValue.span, in: bytes.span.extracting(raw))
      guard let offset else { return set(.item, to: [Mark.own] + newValue) }
      var place: [UInt8] = []
      Self.append(placeAt: offset, count: newValue.count, to: &place)
      set(.item, to: place)
    }
  }

  /// Where the bytes of the item are, in its own field or in the payload.
  func itemRange(_ places: borrowing Places) -> Range<Int>? {
    guard let range = places[.item], let mark = bytes[range].first else { return nil }
    var place = range.lowerBound &+ 1
    guard mark == Mark.partOfRaw else { return place..<range.upperBound }
    guard let raw = places[.raw] else { return nil }
    let start = raw.lowerBound &+ Self.readLength(bytes.span, at: &place)
    return start..<start &+ Self.readLength(bytes.span, at: &place)
  }

  /// Where an item stands in a payload behind its mark: it is all of it, or its last or first
  /// member.
  static func offset(of item: Span<UInt8>, in raw: Span<UInt8>) -> Int? {
    let all = 1
    let last = raw.count &- 1 &- item.count
    let first = 1 &+ "{\"item\":".utf8.count
    if isEqual(item, at: all, of: raw) { return all }
    if isEqual(item, at: last, of: raw) { return last }
    return isEqual(item, at: first, of: raw) ? first : nil
  }

  private static func isEqual(_ item: Span<UInt8>, at offset: Int, of raw: Span<UInt8>) -> Bool {
    offset > 0 && offset &+ item.count <= raw.count
      && raw.extracting(offset..<offset &+ item.count).isEqual(to: item)
  }

  /// Appends what stands for an item that is a part of the payload, less than 128 bytes.
  static func append(placeAt offset: Int, count: Int, to bytes: inout [UInt8]) {
    bytes.append(Mark.partOfRaw)
    bytes.append(length: offset)
    bytes.append(length: count)
  }

  /// A payload behind the mark of its storage class.
  static func packed(_ raw: RawValue) -> [UInt8] {
    switch raw {
    case .integer(let number):
      return [Mark.integer] + bigEndian(UInt64(bitPattern: number))
    case .real(let number): return [Mark.real] + bigEndian(number.bitPattern)
    case .text(let text): return [Mark.text] + text
    case .binary(let binary): return [Mark.binary] + binary
    }
  }

  /// A payload of what `packed` has made of it.
  static func raw(_ packed: ArraySlice<UInt8>) -> RawValue? {
    guard let mark = packed.first else { return nil }
    let value = packed.dropFirst()
    switch mark {
    case Mark.integer: return .integer(Int64(bitPattern: number(value)))
    case Mark.real: return .real(Double(bitPattern: number(value)))
    case Mark.text: return .text(Array(value))
    default: return .binary(Array(value))
    }
  }

  private static func bigEndian(_ number: UInt64) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendBigEndian(number)
    return bytes
  }

  /// A number in eight bytes.
  static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 &<< 8 | UInt64($1) }
  }
}
