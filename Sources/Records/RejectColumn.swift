/// The column that says in a file of rejected rows why each is there.
package enum RejectColumn {
  /// Its name; a plain file may have it behind `_pk`, and what it says is not loaded.
  package static let name = "_reject"
}
