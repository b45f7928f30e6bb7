/// An attribute of an entity, or an element of a composite attribute.
package struct ModelAttribute: Sendable, Equatable {
  /// The name with its true spelling.
  package var name: String
  /// What values it holds.
  package var type: AttributeType
  /// Whether it may be nil.
  package var isOptional = true
  /// Whether it lives in memory only.
  var isTransient = false
  /// Whether the framework computes it; it has an ordinary column all the same.
  var isDerived = false
  /// Whether values carry a tag byte and may live in files beside the store.
  var allowsExternalStorage = false
  /// Whether history keeps its last value after a deletion.
  var preservesHistory = false
  /// The transformer that made the bytes of a transformable.
  var valueTransformerName: String?
  /// The class its values have in the app.
  var valueClassName: String?
  /// The value that new objects get.
  var defaultValue = ModelDefault.none
  /// The parts of a composite, in the order the model lists them.
  package var elements: [ModelAttribute] = []
  /// The entries of the user info that are plain text on both sides.
  var userInfo: [String: String] = [:]
}

/// The default value of an attribute, kept in the form it came in.
enum ModelDefault: Sendable, Equatable {
  case none
  case integer(Int64)
  case real(Double)
  case boolean(Bool)
  case text(String)
  case data([UInt8])
  /// Seconds since 2001-01-01 00:00:00 UTC.
  case date(Double)
  /// An object of a class that is not looked into.
  case object(className: String)
}

extension ModelAttribute {
  /// What the flags of the archived attribute stand for.
  struct Flags: OptionSet, Sendable {
    /// The bits as stored.
    let rawValue: Int64
    /// The value may live in a file beside the store.
    static let allowsExternalStorage = Flags(rawValue: 4)
    /// The value outlives its row in the history.
    static let preservesHistory = Flags(rawValue: 16)
  }
}
