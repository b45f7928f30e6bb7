package import Formats

extension JSONObject {
  /// The row of an item, with what the payload of a change on it says otherwise: a server's answer may
  /// have reached the row since.
  ///
  /// What the payload does not name stays the row's, as it is partial or holds a parent in place of the
  /// reference to it.
  package func updated(by payload: JSONObject) -> JSONObject {
    var item = self
    for member in members {
      guard let told = payload[member.key] else { continue }
      item[member.key] = told.spelled(besideRow: member.value)
    }
    return item
  }
}

extension JSONValue {
  /// What a payload says of a field in which its row has a value, spelled as rows are: where both mean
  /// the same, as this row is.
  func spelled(besideRow row: JSONValue) -> JSONValue {
    if means(self, row, exactly: true) { return row }
    switch (self, row) {
    case (.boolean, .boolean): return self
    case (.boolean, .string), (.number, .string): return .string(jsonText)
    // SQLite keeps truth as whole numbers.
    case (.boolean(let truth), _): return .number(JSONNumber(truth ? 1 : 0))
    case (.string(let text), .number):
      guard let number = JSONNumber(text).map(JSONValue.number) else { return self }
      return means(number, row, exactly: true) ? row : number
    case (.array, _), (.object, _): return nested(besideRow: row)
    default: return self
    }
  }

  /// A list or an embedded type, which rows keep as the text of its JSON.
  private func nested(besideRow row: JSONValue) -> JSONValue {
    // What Flutter wraps with its schema stands in rows without that.
    guard !isWrapped else { return row }
    guard case .string(let text) = row else {
      // A person may have said that the texts are JSON.
      if row.isNested { return self }
      return row == .null ? .string(jsonText) : row
    }
    // What is no JSON is the key of a parent, or a time in the form of early releases.
    guard let kept = try? JSONValue(parsing: text.utf8Span.span), kept.isNested else { return row }
    return means(self, kept, exactly: true) ? row : .string(jsonText)
  }

  /// Whether it is a list or an object.
  package var isNested: Bool {
    switch self {
    case .array, .object: true
    case .null, .boolean, .number, .string: false
    }
  }

  private var isWrapped: Bool {
    var isFound = false
    JSONValue.forEachObject(in: [self]) { object in
      isFound = isFound || object["customTypeSchema"] != nil
      return !isFound
    }
    return isFound
  }
}
