import Bytes

/// The texts and payloads of an operation in one block of memory, of which long queues hold many.
///
/// Each field is a length, one more than its bytes so that 0 means none, and then the bytes. Equal
/// fields are always packed alike.
struct OperationFields: Sendable, Equatable {
  /// The fields in their order in the block; what differs from one operation to the next is first.
  enum Field: Int {
    case table, itemID, originalID, baseVersion, originalCode, rowTable, raw, item
  }

  private var bytes: [UInt8]

  /// What stands before the bytes of a raw value or an item, in place of a type.
  private enum Mark {
    static let integer: UInt8 = 0
    static let real: UInt8 = 1
    static let text: UInt8 = 2
    static let binary: UInt8 = 3
    static let own: UInt8 = 0
    static let partOfRaw: UInt8 = 1
  }

  /// Where each field lies in the block; nil where it has no value.
  typealias Places = InlineArray<8, Range<Int>?>

  private static let empty = [UInt8](repeating: 0, count: 8)

  /// No field has a value; takes no memory of its own.
  init() { bytes = Self.empty }

  /// Takes over fields that were put one after another.
  init(packed bytes: [UInt8]) { self.bytes = bytes }

  /// A field of text.
  subscript(field: Field) -> String? {
    get { range(of: field).map { String(decoding: bytes[$0], as: UTF8.self) } }
    set {
      var text: [UInt8]?
      if let newValue { text = Array(newValue.utf8) }
      set(field, to: text)
    }
  }

  /// Lends the bytes of a field; nil where it has no value.
  func with<Result>(_ field: Field, _ body: (Span<UInt8>) -> Result) -> Result? {
    range(of: field).map { body(bytes.span.extracting($0)) }
  }

  /// Whether two operations have the same value in a field.
  func isSame(_ field: Field, as other: OperationFields) -> Bool {
    guard let range = range(of: field), let otherRange = other.range(of: field) else {
      return self.range(of: field) == nil && other.range(of: field) == nil
    }
    return bytes[range] == other.bytes[otherRange]
  }

  /// Sets the first three fields, which every operation has for itself, in one go.
  mutating func setNames(table: String?, itemID: String?, originalID: String?) {
    let texts = [table, itemID, originalID]
    var start = 0
    for _ in texts { start = Self.field(at: start, of: bytes.span).upperBound }
    let size = texts.reduce(bytes.count &- start) { $0 &+ 5 &+ ($1?.utf8.count ?? 0) }
    var packed: [UInt8] = []
    packed.reserveCapacity(size)
    for text in texts {
      Self.append(length: text.map { $0.utf8.count &+ 1 } ?? 0, to: &packed)
      if let text { packed.append(utf8: text) }
    }
    packed.append(bytes.span.extracting(start...))
    bytes = packed
  }

  private mutating func set(_ field: Field, to value: [UInt8]?) {
    var place = 0..<0
    var before = 0
    for _ in 0...field.rawValue {
      before = place.upperBound
      place = Self.field(at: before, of: bytes.span)
    }
    // What has no value stays as it is when none is set.
    guard value != nil || bytes[before] != 0 else { return }
    var packed: [UInt8] = []
    packed.reserveCapacity(bytes.count &- (place.upperBound &- before) &+ 5 &+ (value?.count ?? 0))
    packed.append(bytes.span.extracting(..<before))
    Self.append(length: value.map { $0.count &+ 1 } ?? 0, to: &packed)
    if let value { packed.append(value.span) }
    packed.append(bytes.span.extracting(place.upperBound...))
    bytes = packed
  }

  /// Where the fields lie, found in one pass.
  var places: Places {
    var places = Places(repeating: nil)
    var end = 0
    for field in places.indices {
      let place = Self.field(at: end, of: bytes.span)
      if bytes[end] != 0 { places[field] = place }
      end = place.upperBound
    }
    return places
  }

  /// Appends a field of text as a cell.
  func append(_ field: Field, _ places: borrowing Places, to batch: inout RecordBatch) {
    guard let range = places[field.rawValue] else { return batch.append(.null) }
    batch.appendText(bytes.span.extracting(range))
  }

  /// Appends the item as a cell.
  func appendItem(_ places: borrowing Places, to batch: inout RecordBatch) {
    guard let range = itemRange(places) else { return batch.append(.null) }
    batch.appendText(bytes.span.extracting(range))
  }

  /// Appends the payload as stored as two cells: the storage class and the bytes.
  func appendRaw(_ places: borrowing Places, to batch: inout RecordBatch) {
    guard let range = places[Field.raw.rawValue], let mark = bytes[range].first else {
      batch.append(.null)
      return batch.append(.null)
    }
    let value = bytes.span.extracting(range.dropFirst())
    switch mark {
    // Text that is not UTF-8 counts as a blob, as in `RawValue.storage`.
    case Mark.text: batch.append(text: isValidUTF8(value) ? "text" : "blob")
    case Mark.binary: batch.append(text: "blob")
    default: batch.append(text: raw?.storage)
    }
    if mark == Mark.text || mark == Mark.binary { return batch.appendBinary(value) }
    let number = raw?.bytes ?? []
    batch.appendBinary(number.span)
  }

  private func range(of field: Field) -> Range<Int>? {
    let bytes = bytes.span
    var place = 0..<0
    for _ in 0..<field.rawValue { place = Self.field(at: place.upperBound, of: bytes) }
    // The length 0 takes one byte and stands for none.
    guard bytes[place.upperBound] != 0 else { return nil }
    return Self.field(at: place.upperBound, of: bytes)
  }

  /// The bytes of the field that begins at a place.
  private static func field(at start: Int, of bytes: Span<UInt8>) -> Range<Int> {
    var place = start
    let length = readLength(bytes, at: &place)
    return place..<place &+ max(0, length &- 1)
  }

  private static func readLength(_ bytes: Span<UInt8>, at place: inout Int) -> Int {
    var length = 0
    var shift = 0
    while place < bytes.count {
      let byte = bytes[place]
      place &+= 1
      length |= Int(byte & 0x7F) &<< shift
      if byte < 0x80 { break }
      shift &+= 7
    }
    return length
  }

  /// Appends a length, seven bits a byte, the lowest first.
  static func append(length: Int, to bytes: inout [UInt8]) {
    var rest = length
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest &>>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }
}

extension OperationFields {
  /// The payload as stored.
  var raw: RawValue? {
    get {
      guard let range = range(of: .raw), let mark = bytes[range].first else { return nil }
      let value = bytes[range].dropFirst()
      switch mark {
      case Mark.integer: return .integer(Int64(bitPattern: Self.number(value)))
      case Mark.real: return .real(Double(bitPattern: Self.number(value)))
      case Mark.text: return .text(Array(value))
      default: return .binary(Array(value))
      }
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
      if let offset = offsetInRaw(of: newValue) {
        var place = [Mark.partOfRaw]
        Self.append(length: offset, to: &place)
        Self.append(length: newValue.count, to: &place)
        set(.item, to: place)
      } else {
        set(.item, to: [Mark.own] + newValue)
      }
    }
  }

  private func itemRange(_ places: borrowing Places) -> Range<Int>? {
    guard let range = places[Field.item.rawValue], let mark = bytes[range].first else { return nil }
    var place = range.lowerBound &+ 1
    guard mark == Mark.partOfRaw else { return place..<range.upperBound }
    guard let raw = places[Field.raw.rawValue] else { return nil }
    let start = raw.lowerBound &+ Self.readLength(bytes.span, at: &place)
    return start..<start &+ Self.readLength(bytes.span, at: &place)
  }

  /// Where the item stands in the payload: it is all of it, or its last or first member.
  private func offsetInRaw(of item: [UInt8]) -> Int? {
    guard let raw = range(of: .raw) else { return nil }
    let first = "{\"item\":".utf8.count
    for offset in [1, raw.count &- 1 &- item.count, 1 &+ first]
    where offset > 0 && offset &+ item.count <= raw.count {
      let start = raw.lowerBound &+ offset
      if bytes[start..<start &+ item.count] == item[...] { return offset }
    }
    return nil
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

  private static func bigEndian(_ number: UInt64) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendBigEndian(number)
    return bytes
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 &<< 8 | UInt64($1) }
  }
}
