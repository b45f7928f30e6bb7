extension PropertyList {
  /// Writes the whole list out as JSON, for people to look at.
  ///
  /// Data become base64, dates ISO 8601 text (or their seconds since 2001 outside the years 1 to
  /// 9999), references of archives `{"CF$UID": n}`, and numbers that JSON has no spelling for text.
  ///
  /// - Throws: `.limit` where it is too deep, or has more than `maxNodes` values once shared ones
  ///   are written out; `.invalid` where a container contains itself or a key comes twice;
  ///   `.unsupported` where a key is not a string.
  package func json(maxNodes: Int) throws(FormatError) -> JSONValue {
    var limits = limits
    limits.maxObjects = min(limits.maxObjects, max(0, maxNodes))
    var expansion = JSONExpansion<ObjectID>(limits: limits)
    let value = try expansion.expand(
      root,
      identity: { (number: $0.index, offset: offset(of: $0)) },
      shape: { id throws(FormatError) in try jsonShape(of: id) })
    return value ?? .null
  }

  private func jsonShape(of id: ObjectID) throws(FormatError) -> JSONShape<ObjectID> {
    switch self[id] {
    case .null: return .scalar(.null)
    case .boolean(let value): return .scalar(.boolean(value))
    case .integer(let value): return .scalar(.number(JSONNumber(value)))
    case .unsigned(let value): return .scalar(.number(JSONNumber(value)))
    case .real(let value): return .scalar(jsonReal(value) ?? .string("NaN"))
    case .date(let seconds):
      let text = timestampText(secondsSince2001: seconds)
      return .scalar(text.map { .string($0) } ?? jsonReal(seconds) ?? .string("NaN"))
    case .data(let bytes): return .scalar(.string(base64Text(bytes)))
    case .string(let text): return .scalar(.string(text))
    case .uid(let number): return .scalar(Self.jsonReference(number))
    case .array(let elements), .set(let elements): return .array(elements)
    case .dictionary(let entries): return .object(try jsonMembers(entries))
    }
  }

  private static func jsonReference(_ number: Int) -> JSONValue {
    var object = JSONObject()
    object["CF$UID"] = .number(JSONNumber(number))
    return .object(object)
  }

  private func jsonMembers(
    _ entries: [(key: ObjectID, value: ObjectID)]
  ) throws(FormatError) -> [(key: String, value: ObjectID)] {
    var members: [(key: String, value: ObjectID)] = []
    for (key, value) in entries {
      guard let text = string(key) else {
        throw FormatError(.unsupported, at: offset(of: key), "dictionary has a key that is no text")
      }
      members.append((key: text, value: value))
    }
    return members
  }
}
