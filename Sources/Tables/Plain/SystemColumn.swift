package import Records

/// One of the columns that a sync SDK keeps in the app's tables.
package struct SystemColumn: Sendable {
  /// The part that it plays.
  package let role: ColumnRole
  /// Its one name in the canonical store.
  package let name: String
  /// What its values mean and how the layout stores them.
  package let form: ColumnForm

  static let versionName = "version"

  /// The four columns, with times and versions in the layout's form.
  package static func all(time: StoredTime, version: ColumnForm = .text) -> [SystemColumn] {
    [
      SystemColumn(role: .version, name: versionName, form: version),
      SystemColumn(role: .createdAt, name: "createdAt", form: .time(time)),
      SystemColumn(role: .updatedAt, name: "updatedAt", form: .time(time)),
      SystemColumn(role: .deleted, name: "deleted", form: .boolean),
    ]
  }
}
