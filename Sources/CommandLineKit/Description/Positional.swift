/// One named place for words that are not options.
package struct Positional: Sendable, Equatable {
  /// The name in capitals, as help shows it.
  package var name: String
  /// What to put there: lower case, no final full stop.
  var help: String
  var cardinality: Cardinality
  /// What a shell can offer.
  var completion: CompletionKind

  /// Describes a place that takes exactly one word unless `cardinality` says otherwise.
  package init(
    _ name: String, help: String, cardinality: Cardinality = .one,
    completion: CompletionKind = .free
  ) {
    self.name = name
    self.help = help
    self.cardinality = cardinality
    self.completion = completion
  }

  /// How many words a positional takes.
  package enum Cardinality: Sendable, Equatable {
    /// Exactly one word.
    case one
    case optional
    /// At least one word.
    case oneOrMore
    /// Any number of words.
    case zeroOrMore
  }
}

extension Positional {
  /// The least number of words it needs.
  var minimumCount: Int {
    switch cardinality {
    case .one: 1
    case .oneOrMore: 1
    case .optional: 0
    case .zeroOrMore: 0
    }
  }

  /// Whether it takes any number of words beyond the least.
  var isVariadic: Bool { cardinality == .oneOrMore || cardinality == .zeroOrMore }

  /// The name as a usage line shows it, as in `[NAME...]`.
  var usage: String {
    switch cardinality {
    case .one: name
    case .optional: "[\(name)]"
    case .oneOrMore: "\(name)..."
    case .zeroOrMore: "[\(name)...]"
    }
  }
}
