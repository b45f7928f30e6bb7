extension ReportJSON: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral,
  ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByNilLiteral
{
  /// An object whose members keep the order of the literal.
  package init(dictionaryLiteral elements: (String, ReportJSON)...) {
    self = .object(elements.map { Member($0.0, $0.1) })
  }

  /// An array.
  package init(arrayLiteral elements: ReportJSON...) {
    self = .array(elements)
  }

  /// A string.
  package init(stringLiteral value: String) {
    self = .string(value)
  }

  /// A whole number.
  package init(integerLiteral value: Int64) {
    self = .integer(value)
  }

  /// A number.
  package init(floatLiteral value: Double) {
    self = .real(value)
  }

  /// True or false.
  package init(booleanLiteral value: Bool) {
    self = .boolean(value)
  }

  /// Null.
  package init(nilLiteral: ()) {
    self = .null
  }
}
