/// A small JSON value whose members keep their order, for run reports.
package indirect enum ReportJSON: Sendable, Equatable {
  /// Members in the order in which they are printed.
  case object([Member])
  /// Elements in order.
  case array([ReportJSON])
  /// Text of any kind.
  case string(String)
  /// A whole number.
  case integer(Int64)
  /// A number; infinities print as strings and not-a-number as null, which JSON cannot carry.
  case real(Double)
  /// True or false.
  case boolean(Bool)
  /// No value.
  case null
  /// JSON text that was checked and written elsewhere; it is copied as it is.
  case encoded(String)

  /// A name and its value.
  package struct Member: Sendable, Equatable {
    /// The name, which the caller keeps unique within its object.
    package var name: String
    /// The value.
    package var value: ReportJSON

    /// Pairs a name with a value.
    package init(_ name: String, _ value: ReportJSON) {
      self.name = name
      self.value = value
    }
  }

  /// A string, or null.
  package init(_ text: String?) {
    self = text.map(ReportJSON.string) ?? .null
  }

  /// A whole number, or null.
  package init(_ number: Int?) {
    self = number.map { .integer(Int64($0)) } ?? .null
  }

  /// True, false or null.
  package init(_ truth: Bool?) {
    self = truth.map(ReportJSON.boolean) ?? .null
  }

  /// An array of strings.
  package init(_ texts: [String]) {
    self = .array(texts.map(ReportJSON.string))
  }

  /// The object with one more member, where there is a value for it and it is wanted.
  package func adding(
    _ name: String, _ value: ReportJSON?, if isWanted: Bool = true
  ) -> ReportJSON {
    guard isWanted, let value, case .object(let members) = self else { return self }
    return .object(members + [Member(name, value)])
  }
}
