/// A property list to be written by tests, independent of the reader and as odd as needed.
indirect enum TestPlist {
  case integer(Int64)
  case real(Double)
  case boolean(Bool)
  case string(String)
  case data([UInt8])
  case uid(Int)
  case array([TestPlist])
  case dictionary([(String, TestPlist)])

  /// The binary form: 4-byte offsets and references, no object shared.
  var bytes: [UInt8] {
    var objects: [[UInt8]] = []
    _ = encode(&objects)
    var output = Array("bplist00".utf8)
    var offsets: [Int] = []
    for object in objects {
      offsets.append(output.count)
      output += object
    }
    let table = output.count
    for offset in offsets { output += bigEndian(offset, 4) }
    output += [0, 0, 0, 0, 0, 0, 4, 4]
    return output + bigEndian(objects.count, 8) + bigEndian(0, 8) + bigEndian(table, 8)
  }

  private func encode(_ objects: inout [[UInt8]]) -> Int {
    let place = objects.count
    objects.append([])
    switch self {
    case .integer(let value): objects[place] = [0x13] + bigEndian(Int(value), 8)
    case .real(let value): objects[place] = [0x23] + bigEndian(Int(bitPattern: value), 8)
    case .boolean(let value): objects[place] = [value ? 9 : 8]
    case .string(let text): objects[place] = marked(0x5F, text.utf8.count) + text.utf8
    case .data(let bytes): objects[place] = marked(0x4F, bytes.count) + bytes
    case .uid(let number): objects[place] = [0x83] + bigEndian(number, 4)
    case .array(let elements):
      let places = elements.map { $0.encode(&objects) }
      objects[place] = marked(0xAF, places.count) + places.flatMap { bigEndian($0, 4) }
    case .dictionary(let entries):
      let keys = entries.map { TestPlist.string($0.0).encode(&objects) }
      let values = entries.map { $0.1.encode(&objects) }
      objects[place] = marked(0xDF, keys.count) + (keys + values).flatMap { bigEndian($0, 4) }
    }
    return place
  }

  private func marked(_ marker: UInt8, _ count: Int) -> [UInt8] {
    [marker, 0x12] + bigEndian(count, 4)
  }

  private func bigEndian(_ value: Int, _ size: Int) -> [UInt8] {
    (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}

extension Int {
  fileprivate init(bitPattern value: Double) {
    self = Int(truncatingIfNeeded: value.bitPattern)
  }
}

extension TestPlist {
  /// A keyed archive of objects, whose root is number 1; `$null` comes first by itself.
  static func archive(_ objects: [TestPlist]) -> [UInt8] {
    TestPlist.dictionary([
      ("$version", .integer(100_000)), ("$archiver", .string("NSKeyedArchiver")),
      ("$top", .dictionary([("root", .uid(1))])),
      ("$objects", .array([.string("$null")] + objects)),
    ]).bytes
  }

  /// The description of a class with its superclasses.
  static func classChain(_ names: String...) -> TestPlist {
    .dictionary([
      ("$classname", .string(names.first ?? "")), ("$classes", .array(names.map { .string($0) })),
    ])
  }

  /// An object of a class that is another object of the archive.
  static func object(class number: Int, _ fields: [(String, TestPlist)]) -> TestPlist {
    .dictionary(fields + [("$class", .uid(number))])
  }
}
