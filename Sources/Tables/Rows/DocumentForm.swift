package import Records

/// A column whose values are members of the JSON documents that a table keeps as rows.
package struct DocumentMember: Sendable, Equatable {
  /// The key of the member, literally.
  package let key: String
  /// How its values become those of the column.
  package let form: DocumentForm
}

/// How a member of a document becomes the value of a column.
package enum DocumentForm: Sendable, Equatable {
  /// As a view casts it, where that loses nothing; other values are left as they are, for a reject.
  case cast(LogicalType)
  /// As what the members of all documents are.
  case content(LogicalType)
}
