/// The column by which the rows of a store of several sources know theirs.
package enum SourceColumn {
  /// Its name; it stands behind the columns of the app and is none of them.
  package static let name = "_source"
}
