package import Records

/// The server's copy of an item, beside a change of it that the server did not take.
package struct ServerCopy: Sendable {
  /// What the change does to the item; nil where that is not known.
  var kind: OperationKind?
  /// Whether the server has marked the item as deleted.
  private let isDeleted: Bool
  /// In which fields both copies differ, but for those of the SDK; nil where that is not known.
  private let fields: [String]?

  /// Takes the copy, and what is known of the change.
  package init(_ server: [UInt8], besides kind: OperationKind?, fields: [String]?) {
    self.kind = kind
    isDeleted = ItemComparison.isDeleted(server)
    self.fields = fields
  }

  /// Whether the server has what the change makes of the item, so that nothing is left to choose.
  ///
  /// As for a replay: a delete wants the item gone, whatever is in it, and any other change wants it
  /// there.
  var isAsWanted: Bool { kind == .delete ? isDeleted : !isDeleted && fields == [] }

  /// What the copy says, in words; empty where that is not known.
  package var words: String {
    if isDeleted { return "the server has deleted the item" + (kind == .delete ? ", too" : "") }
    guard let fields else { return "" }
    if !fields.isEmpty { return "they differ in " + fields.shortList }
    return kind == .delete
      ? "the server still has the item, with the same fields" : "both copies say the same"
  }
}
