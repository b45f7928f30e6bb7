/// One header block of a tar archive.
struct TarHeader {
  static let size = 512

  let name: [UInt8]
  let link: [UInt8]
  let size: Int
  /// When the file was changed, in seconds since the start of 1970; 0 where that makes no sense.
  let time: Int
  let type: UInt8
  /// The block itself, where sparse files keep more.
  let block: [UInt8]

  /// Whether the checksum of a block is right, as the sum of its bytes with or without signs.
  static func isHeader(_ block: Span<UInt8>) -> Bool {
    guard block.count >= size, let told = toldSum(of: block) else { return false }
    let (sum, signed) = sums(of: block)
    return told == sum || told == signed
  }

  /// Tells that a block is no header.
  static func wrongChecksum(of block: Span<UInt8>, at offset: Int) -> FormatError {
    let told = toldSum(of: block).map { "\(sums(of: block).sum) in place of \($0)" } ?? "none"
    return FormatError(
      .checksum, at: offset,
      "no header of a member stands where one should; its checksum is \(told)")
  }

  private static func toldSum(of block: Span<UInt8>) -> Int? {
    number(block.extracting(148..<156))
  }

  private static func sums(of block: Span<UInt8>) -> (sum: Int, signed: Int) {
    var (sum, signed) = (0, 0)
    for place in 0..<size {
      let byte = (148..<156).contains(place) ? 0x20 : block[place]
      sum += Int(byte)
      signed += Int(Int8(bitPattern: byte))
    }
    return (sum, signed)
  }

  /// Reads a block whose checksum is right; nil for sizes that make no sense.
  init?(_ block: [UInt8]) {
    let span = block.span
    guard let size = Self.number(span.extracting(124..<136)) else { return nil }
    self.size = size
    time = Self.number(span.extracting(136..<148)) ?? 0
    self.block = block
    type = block[156]
    link = Self.text(block[157..<257])
    let isPOSIX = block[257..<263].elementsEqual("ustar\0".utf8)
    let prefix = isPOSIX ? Self.text(block[345..<500]) : []
    let name = Self.text(block[0..<100])
    self.name = prefix.isEmpty ? name : prefix + [UInt8(ascii: "/")] + name
  }

  private static func text(_ field: ArraySlice<UInt8>) -> [UInt8] {
    Array(field.prefix { $0 != 0 })
  }

  /// A number in octal digits or, after a first byte of 80, in binary; nil where it is neither.
  static func number(_ field: Span<UInt8>) -> Int? {
    guard field.count > 0 else { return nil }
    if field[0] & 0x80 != 0 { return binary(field) }
    var value = 0
    var hasEnded = false
    for place in 0..<field.count {
      let byte = field[place]
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "7"):
        guard !hasEnded, value < Int.max >> 4 else { return nil }
        value = value << 3 | Int(byte & 7)
      case 0x20 where place == 0 || (value == 0 && isBlank(field, before: place)): continue
      case 0, 0x20: hasEnded = true
      default: return nil
      }
    }
    return value
  }

  private static func isBlank(_ field: Span<UInt8>, before end: Int) -> Bool {
    for place in 0..<end where field[place] != 0x20 { return false }
    return true
  }

  private static func binary(_ field: Span<UInt8>) -> Int? {
    guard field[0] == 0x80 else { return nil }
    var value = 0
    for place in 1..<field.count {
      guard value < Int.max >> 10 else { return nil }
      value = value << 8 | Int(field[place])
    }
    return value
  }
}
