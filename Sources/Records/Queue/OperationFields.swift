import Bytes

/// The texts and payloads of an operation in one block of memory, of which long queues hold many.
///
/// Each field is a length, one more than its bytes so that 0 means none, and then the bytes. Equal
/// fields are always packed alike.
struct OperationFields: Sendable {
  /// The fields in their order in the block; what differs from one operation to the next is first.
  enum Field: Int, CaseIterable {
    case table, itemID, originalID, baseVersion, originalCode, rowTable, raw, item
  }

  /// The block, perhaps with those of other operations around it.
  private(set) var bytes: [UInt8]
  /// Where the fields begin there; no block has 64 KiB before its last operation.
  private var start: UInt16 = 0

  /// What stands before the bytes of a raw value or an item, in place of a type.
  enum Mark {
    static let integer: UInt8 = 0
    static let real: UInt8 = 1
    static let text: UInt8 = 2
    static let binary: UInt8 = 3
    static let own: UInt8 = 0
    static let partOfRaw: UInt8 = 1
  }

  /// Where each field lies in the block; nil where it has no value.
  struct Places {
    private var starts = InlineArray<8, Int>(repeating: 0)
    private var ends = InlineArray<8, Int>(repeating: -1)

    @inline(__always)
    fileprivate(set) subscript(field: Int) -> Range<Int>? {
      get { ends[field] < 0 ? nil : starts[field]..<ends[field] }
      set {
        starts[field] = newValue?.lowerBound ?? 0
        ends[field] = newValue?.upperBound ?? -1
      }
    }

    @inline(__always)
    subscript(field: Field) -> Range<Int>? { self[field.rawValue] }
  }

  private static let count = Field.allCases.count
  private static let empty = [UInt8](repeating: 0, count: count)

  /// No field has a value; takes no memory of its own.
  init() { bytes = Self.empty }

  /// Fields at a place in a block that `settle` will give them.
  init(startingAt start: Int) {
    bytes = []
    self.start = UInt16(clamping: start)
  }

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

  func isSame(_ field: Field, as other: OperationFields) -> Bool {
    guard let range = range(of: field), let otherRange = other.range(of: field) else {
      return self.range(of: field) == nil && other.range(of: field) == nil
    }
    return bytes.span.extracting(range).isEqual(to: other.bytes.span.extracting(otherRange))
  }

  /// Sets a field to bytes that it is made of.
  mutating func set(_ field: Field, to value: [UInt8]?) {
    let before = place(after: field.rawValue)
    // What has no value stays as it is when none is set.
    guard value != nil || bytes[before] != 0 else { return }
    let own = place(after: 0)..<before
    let rest = place(after: field.rawValue + 1)..<place(after: Self.count)
    var packed: [UInt8] = []
    packed.reserveCapacity(own.count &+ rest.count &+ 5 &+ (value?.count ?? 0))
    packed.append(bytes.span.extracting(own))
    packed.append(length: value.map { $0.count &+ 1 } ?? 0)
    if let value { packed.append(value.span) }
    packed.append(bytes.span.extracting(rest))
    bytes = packed
    start = 0
  }

  /// Where the fields lie, found in one pass.
  var places: Places {
    var found = Places()
    var end = place(after: 0)
    let bytes = bytes.span
    for field in 0..<Self.count {
      let place = Self.field(at: end, of: bytes)
      if bytes[end] != 0 { found[field] = place }
      end = place.upperBound
    }
    return found
  }

  /// The place of a field's bytes; nil where it has no value.
  func range(of field: Field) -> Range<Int>? {
    let place = place(after: field.rawValue)
    // The length 0 takes one byte and stands for none.
    guard bytes[place] != 0 else { return nil }
    return Self.field(at: place, of: bytes.span)
  }

  /// Where the block goes on after its first fields.
  private func place(after count: Int) -> Int {
    let bytes = bytes.span
    var place = Int(start)
    for _ in 0..<count { place = Self.field(at: place, of: bytes).upperBound }
    return place
  }

  /// The bytes of the field that begins at a place.
  private static func field(at start: Int, of bytes: Span<UInt8>) -> Range<Int> {
    var place = start
    if place < bytes.count, bytes[place] < 0x80 {
      // Most fields are short, and their length is one byte.
      let first = place &+ 1
      return first..<first &+ max(0, Int(bytes[place]) &- 1)
    }
    let length = readLength(bytes, at: &place)
    return place..<place &+ max(0, length &- 1)
  }

  static func readLength(_ bytes: Span<UInt8>, at place: inout Int) -> Int {
    Int(truncatingIfNeeded: packedNumber(bytes, &place))
  }

  /// Appends a length to room that has `longestLength` bytes for it.
  @inline(__always)
  static func append(length: Int, to room: inout ByteRoom) {
    forEachByte(ofPacked: UInt64(truncatingIfNeeded: length)) { room.append($0) }
  }

  /// How many bytes a length takes at most.
  static let longestLength = 9
}

extension OperationFields: Equatable {
  var block: Range<Int> { Int(start)..<place(after: Self.count) }

  /// Whether all fields are the same.
  static func == (left: OperationFields, right: OperationFields) -> Bool {
    left.bytes[left.block] == right.bytes[right.block]
  }

  /// How many bytes the fields take.
  var size: Int { block.count }

  /// Takes the block in which the fields are.
  mutating func settle(in block: [UInt8]) { bytes = block }

  /// Appends the fields as they are packed.
  func append(to packed: inout [UInt8]) { packed.append(bytes.span.extracting(block)) }

  /// Where each field begins with its length, and where the last one ends, found in one pass.
  struct Edges {
    private var places = InlineArray<9, Int>(repeating: 0)

    fileprivate init(_ fields: borrowing OperationFields) {
      let bytes = fields.bytes.span
      places[0] = Int(fields.start)
      for field in 0..<OperationFields.count {
        places[field + 1] = OperationFields.field(at: places[field], of: bytes).upperBound
      }
    }

    /// The fields from one of them on up to another.
    func range(from first: Field = .table, upTo end: Field? = nil) -> Range<Int> {
      places[first.rawValue]..<places[end?.rawValue ?? OperationFields.count]
    }
  }

  /// Where fields begin.
  var edges: Edges { Edges(self) }
}
