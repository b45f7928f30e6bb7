import Bytes

extension KeyedArchive {
  /// The archive's root as JSON; nil where the archive holds anything but plain values.
  package func decodedJSON(limits: FormatLimits = .standard) throws(FormatError) -> JSONValue? {
    try root.decodedJSON(limits: limits)
  }
}

extension ArchivedObject {
  /// The object as JSON; nil where it holds anything but plain values.
  ///
  /// Plain values are text, numbers, truth values, `NSNull`, dates (as ISO 8601 text), data (as
  /// base64), `NSURL` without a base, `NSUUID`, and arrays, sets and dictionaries with text as keys.
  /// Something that is no number, and a date outside the years 1 to 9999, are not.
  ///
  /// - Throws: `.limit` where it is too deep, or too large once shared objects are written out;
  ///   `.invalid` where an object contains itself or a key comes twice.
  package func decodedJSON(limits: FormatLimits = .standard) throws(FormatError) -> JSONValue? {
    var expansion = JSONExpansion<ArchivedObject>(limits: limits)
    return try expansion.expand(
      self,
      identity: { (number: $0.identity, offset: $0.offset) },
      shape: { object throws(FormatError) in object.jsonShape })
  }

  private var jsonShape: JSONShape<ArchivedObject>? {
    switch node {
    case .null: .scalar(.null)
    case .boolean(let value): .scalar(.boolean(value))
    case .integer(let value): .scalar(.number(JSONNumber(value)))
    case .unsigned(let value): .scalar(.number(JSONNumber(value)))
    case .real(let value): jsonReal(value).map { .scalar($0) }
    case .date(let seconds): Self.text(timestampText(secondsSince2001: seconds))
    case .data(let bytes): Self.text(base64Text(bytes))
    case .string(let text): Self.text(text)
    case .uid: nil
    case .array(let ids), .set(let ids): .array(ids.map(handle))
    case .dictionary: hasClass ? classShape : dictionaryShape
    }
  }

  /// The shape of an object of one of the classes whose fields are all known.
  ///
  /// Fields beyond those are content that would be lost. They also cost time on each visit that no
  /// limit counts, so many of them are refused.
  private var classShape: JSONShape<ArchivedObject>? {
    guard let shape = knownShape, case .dictionary(let fields) = node else { return nil }
    let parts =
      switch shape {
      case .scalar: 0
      case .array(let elements): elements.count
      case .object(let members): members.count
      }
    return fields.count <= 8 || fields.count <= 2 * parts + 1 ? shape : nil
  }

  private var knownShape: JSONShape<ArchivedObject>? {
    switch className {
    case "NSDictionary", "NSMutableDictionary", "NSKnownKeysDictionary1": dictionaryShape
    case "NSArray", "NSMutableArray", "NSSet", "NSMutableSet", "NSOrderedSet",
      "NSMutableOrderedSet":
      elements.map { .array($0) }
    case "NSString", "NSMutableString": Self.text(string)
    case "NSData", "NSMutableData": Self.text(data.map(base64Text))
    case "NSDate": Self.text(date.flatMap { timestampText(secondsSince2001: $0) })
    case "NSUUID": Self.text(uuid)
    case "NSURL": Self.text(url)
    case "NSNull": .scalar(.null)
    default: nil
    }
  }

  private var dictionaryShape: JSONShape<ArchivedObject>? {
    guard let entries else { return nil }
    var members: [(key: String, value: ArchivedObject)] = []
    for (key, value) in entries {
      guard let text = key.string else { return nil }
      members.append((key: text, value: value))
    }
    return .object(members)
  }

  private static func text(_ text: String?) -> JSONShape<ArchivedObject>? {
    text.map { .scalar(.string($0)) }
  }
}
