/// One object or value of a keyed archive, as a light handle.
///
/// A handle never looks further than its own fields, so an archive with cycles is safe to hold;
/// who follows references must remember identities.
package struct ArchivedObject: Sendable {
  private let contents: KeyedArchive.Contents
  private let id: PropertyList.ObjectID

  /// Makes a handle for what a reference leads to.
  init(_ contents: KeyedArchive.Contents, _ id: PropertyList.ObjectID) {
    self.contents = contents
    self.id = id
  }

  /// A number that is the same for all handles of one object, and differs between objects.
  package var identity: Int { id.index }

  /// Where the object starts in the bytes that were parsed.
  var offset: Int { contents.list.offset(of: id) }

  /// Whether the reference leads to no object, as an archived nil does.
  package var isNull: Bool {
    if case .null = node { true } else { false }
  }

  /// The value as the property list has it; `.null` for an archived nil.
  var node: PropertyListNode {
    contents.isNull(id) ? .null : contents.list[id]
  }

  /// The name of the object's class; nil for a plain value.
  package var className: String? {
    guard let description = classDescription,
      let name = contents.field("$classname", of: description)
    else { return nil }
    return contents.list.string(contents.target(of: name))
  }

  /// The names of the object's class and its superclasses, from the object's own upwards.
  package var classNames: [String] {
    guard let description = classDescription else { return [] }
    guard let names = contents.field("$classes", of: description),
      case .array(let chain) = contents.list[names]
    else { return className.map { [$0] } ?? [] }
    return chain.compactMap { contents.list.string(contents.target(of: $0)) }
  }

  /// The value of one of the object's fields; nil where it is absent or an archived nil.
  package subscript(key: String) -> ArchivedObject? {
    guard let value = contents.field(key, of: id) else { return nil }
    let object = handle(value)
    return object.isNull ? nil : object
  }

  func handle(_ value: PropertyList.ObjectID) -> ArchivedObject {
    ArchivedObject(contents, contents.target(of: value))
  }

  var hasClass: Bool { classDescription != nil }

  private var classDescription: PropertyList.ObjectID? {
    contents.field("$class", of: id).map { contents.target(of: $0) }
  }
}

extension ArchivedObject {
  /// The text of a plain string, `NSString` or `NSMutableString`.
  package var string: String? {
    if case .string(let text) = node { return text }
    guard isKind(of: ["NSString", "NSMutableString"]) else { return nil }
    if case .string(let text) = self["NS.string"]?.node { return text }
    guard case .data(let bytes) = self["NS.bytes"]?.node else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }

  /// The value of a whole number.
  package var integer: Int64? {
    if case .integer(let value) = node { value } else { nil }
  }

  /// The value of a truth value, or of the whole numbers 0 and 1.
  package var boolean: Bool? {
    switch node {
    case .boolean(let value): value
    case .integer(0): false
    case .integer(1): true
    default: nil
    }
  }

  /// The value of a number that a double holds exactly.
  package var real: Double? {
    switch node {
    case .real(let value): value
    case .integer(let value): Double(exactly: value)
    case .unsigned(let value): Double(exactly: value)
    default: nil
    }
  }

  /// The bytes of plain data, `NSData` or `NSMutableData`.
  package var data: [UInt8]? {
    if case .data(let bytes) = node { return bytes }
    guard isKind(of: ["NSData", "NSMutableData"]),
      case .data(let bytes) = (self["NS.data"] ?? self["NS.bytes"])?.node
    else { return nil }
    return bytes
  }

  /// The moment of a plain date or `NSDate`, in seconds since the start of 2001, UTC.
  package var date: Double? {
    if case .date(let seconds) = node { return seconds }
    return isKind(of: ["NSDate"]) ? self["NS.time"]?.real : nil
  }

  /// The spelling of an `NSUUID`.
  package var uuid: String? {
    className == "NSUUID" ? self["NS.uuidbytes"]?.data.flatMap(uuidText) : nil
  }

  /// The address of an `NSURL` without a base.
  package var url: String? {
    className == "NSURL" && self["NS.base"] == nil ? self["NS.relative"]?.string : nil
  }

  /// The digits of an `NSDecimalNumber`, without an exponent; nil for what is no number.
  ///
  /// The number is `NS.mantissa` times a power of ten; its `NS.length` parts of 16 bits stand from
  /// the least on, each with its bytes as the machine had them. The class is archived as that of the
  /// object that makes such numbers.
  package var decimal: String? {
    guard className == "NSDecimalNumber" || className == "NSDecimalNumberPlaceholder",
      let exponent = self["NS.exponent"]?.integer, (-128...127).contains(exponent),
      let length = self["NS.length"]?.integer, (0...8).contains(length),
      let bytes = self["NS.mantissa"]?.data, bytes.count >= 2 * Int(length)
    else { return nil }
    let isNegative = self["NS.negative"]?.boolean ?? false
    // A negative number without parts is none.
    guard length > 0 || !isNegative else { return nil }
    let isBigEndian = self["NS.mantissa.bo"]?.integer == 2
    var mantissa: UInt128 = 0
    for part in (0..<Int(length)).reversed() {
      let (low, high) = (bytes[2 * part], bytes[2 * part + 1])
      let value =
        isBigEndian ? UInt128(low) << 8 | UInt128(high) : UInt128(high) << 8 | UInt128(low)
      mantissa = mantissa << 16 | value
    }
    let digits = Self.digits(of: mantissa, timesTenTo: Int(exponent))
    return isNegative ? "-" + digits : digits
  }

  private static func digits(of number: UInt128, timesTenTo exponent: Int) -> String {
    let digits = String(number)
    guard number > 0, exponent != 0 else { return digits }
    guard exponent < 0 else { return digits + String(repeating: "0", count: exponent) }
    let missing = max(0, 1 - exponent - digits.count)
    let padded = String(repeating: "0", count: missing) + digits
    return padded.dropLast(-exponent) + "." + padded.suffix(-exponent)
  }

  /// Whether the object's class is one of these or inherits from one.
  func isKind(of names: Set<String>) -> Bool {
    classNames.contains { names.contains($0) }
  }
}

extension ArchivedObject {
  /// The elements of an array, set or ordered set, in the order of the archive.
  package var elements: [ArchivedObject]? {
    switch node {
    case .array(let ids), .set(let ids): ids.map(handle)
    case .dictionary where isKind(of: Self.listClasses):
      listed("NS.objects", orNumbered: "NS.object.")
    default: nil
    }
  }

  /// The keys and values of a dictionary, in the order of the archive.
  package var entries: [(key: ArchivedObject, value: ArchivedObject)]? {
    guard case .dictionary(let fields) = node else { return nil }
    guard hasClass else { return fields.map { (key: handle($0.key), value: handle($0.value)) } }
    guard isKind(of: ["NSDictionary", "NSMutableDictionary", "NSKnownKeysDictionary1"]) else {
      return nil
    }
    if let mapping = self["searchMapping"] { return knownKeyEntries(mapping) }
    return Self.pairs(
      listed("NS.keys", orNumbered: "NS.key."), listed("NS.objects", orNumbered: "NS.object."))
  }

  private static let listClasses: Set<String> = [
    "NSArray", "NSMutableArray", "NSSet", "NSMutableSet", "NSOrderedSet", "NSMutableOrderedSet",
  ]

  /// The elements of an array in one field, or of the numbered fields that older archives use.
  private func listed(_ key: String, orNumbered prefix: String) -> [ArchivedObject]? {
    guard let list = self[key] else { return numbered(prefix) }
    return if case .array(let ids) = list.node { ids.map(handle) } else { nil }
  }

  /// The fields `NS.object.0`, `NS.object.1` and so on; nil where there are gaps or other fields.
  ///
  /// Such an object has no field at all when it is empty, so any other field means another shape.
  private func numbered(_ prefix: String) -> [ArchivedObject]? {
    guard case .dictionary(let fields) = node else { return nil }
    var found: [Int: ArchivedObject] = [:]
    for field in fields {
      guard let name = handle(field.key).string else { return nil }
      if name.hasPrefix(prefix), let number = Int(name.dropFirst(prefix.count)) {
        found[number] = handle(field.value)
      } else if name != "$class", !name.hasPrefix("NS.key."), !name.hasPrefix("NS.object.") {
        return nil
      }
    }
    var elements: [ArchivedObject] = []
    while let next = found[elements.count] { elements.append(next) }
    return elements.count == found.count ? elements : nil
  }

  /// The entries of a dictionary with a fixed set of keys, some of whose slots may be empty.
  private func knownKeyEntries(
    _ mapping: ArchivedObject
  ) -> [(key: ArchivedObject, value: ArchivedObject)]? {
    let empty = self["emptyToken"]?.identity
    return Self.pairs(mapping["keys"]?.elements, self["values"]?.elements)?
      .filter { $0.value.identity != empty }
  }

  private static func pairs(
    _ keys: [ArchivedObject]?, _ values: [ArchivedObject]?
  ) -> [(key: ArchivedObject, value: ArchivedObject)]? {
    guard let keys, let values, keys.count == values.count else { return nil }
    return zip(keys, values).map { (key: $0, value: $1) }
  }
}
