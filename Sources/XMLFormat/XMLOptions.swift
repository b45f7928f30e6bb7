import Bytes

/// How much one document may ask for before it is refused.
///
/// Honest documents stay far below the standard limits.
package struct XMLLimits: Sendable, Equatable {
  /// Elements inside each other.
  package var depth = 256
  /// Bytes of the name of an element or attribute, its namespace included.
  package var nameBytes = 1_000
  /// Different names in one document.
  package var names = 10_000
  /// Attributes of one element, declarations of namespaces included.
  package var attributes = 256
  /// Bytes of all attributes of one element; also bounds a comment.
  ///
  /// The parser itself refuses a single value of more than ten million bytes.
  package var attributeBytes = 1 << 20
  /// Declarations of namespaces that are in force at one place.
  package var namespaces = 64
  /// Bytes of one run of text.
  package var textBytes = 64 << 20
  /// Bytes of the document as it is stored.
  package var totalBytes = 1 << 40

  /// The limits for files from unknown sources.
  package static var standard: XMLLimits {
    var limits = XMLLimits()
    let run = InputLimits.current
    limits.depth = run.depth ?? limits.depth
    limits.textBytes = run.valueBytes
    return limits
  }

  /// The standard limits, to be changed one by one.
  init() {}
}

/// What a reader lets pass.
package struct XMLOptions: Sendable, Equatable {
  /// The limits.
  package var limits = XMLLimits.standard
  /// Whether a document type declaration may stand there; it is never followed.
  ///
  /// One with declarations inside it is refused all the same.
  var allowsDoctype = false
  /// Whether blank text between tags, which only lays the document out, is handed on.
  package var keepsLayout = false
  /// Whether plain markup is read without the library, which takes less time.
  package var scansPlainMarkup = true
  /// Whether the parser's own bounds give way to `limits`.
  package var allowsHugeValues = false

  /// The strictest options, to be changed one by one.
  package init() {}

  /// Options for documents that may have a document type declaration.
  package init(allowingDoctype: Bool, limits: XMLLimits = .standard) {
    allowsDoctype = allowingDoctype
    self.limits = limits
  }
}

/// The names of a document's elements and attributes, each known by a number.
///
/// The names that a caller registers have the numbers of their places in its list; every other
/// name gets the next number when it first occurs. A name in a namespace is written
/// `{namespace}name`.
package struct XMLNames: Sendable {
  /// The names by number.
  private(set) var all: [String]
  let registeredCount: Int
  /// Two spellings of one letter make two names, though Swift takes such texts for equal.
  private var numbers: [ExactText: Int]

  init(_ registered: [String]) {
    all = registered
    registeredCount = registered.count
    numbers = Dictionary(keepingFirst: registered.enumerated().map { (ExactText($1), $0) })
  }

  /// The name with a number.
  package subscript(number: Int) -> String { all[number] }

  /// The number of a name; nil when it was neither registered nor met.
  func number(of name: String) -> Int? { numbers[ExactText(name)] }

  /// The number of a name, a new one if need be; nil when that would make more than `limit`.
  mutating func intern(_ name: String, limit: Int) -> Int? {
    if let number = numbers[ExactText(name)] { return number }
    guard all.count - registeredCount < limit else { return nil }
    all.append(name)
    numbers[ExactText(name)] = all.count - 1
    return all.count - 1
  }

  /// Forgets the names from a number on.
  mutating func remove(from number: Int) {
    while all.count > number { numbers[ExactText(all.removeLast())] = nil }
  }
}
