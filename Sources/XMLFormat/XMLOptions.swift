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
  package init() {}
}

/// What a reader lets pass.
package struct XMLOptions: Sendable, Equatable {
  /// The limits.
  package var limits = XMLLimits.standard
  /// Whether a document type declaration may stand there; it is never followed.
  ///
  /// One with declarations inside it is refused all the same.
  package var allowsDoctype = false
  /// Whether blank text between tags, which only lays the document out, is handed on.
  package var keepsLayout = false
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
