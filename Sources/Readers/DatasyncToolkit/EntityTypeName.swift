/// The full name of a .NET type, which the toolkit uses where others name a table.
struct EntityTypeName {
  /// The last component, in lower case.
  private let simpleName: String

  /// Takes apart a name such as `MyApp.Data.TodoItem`; nested types follow a `+`.
  init(_ name: String) {
    let last = name.utf8.split(omittingEmptySubsequences: false) {
      $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "+")
    }.last
    simpleName = asciiLowercased(last.map { String(decoding: $0, as: UTF8.self) } ?? name)
  }

  /// The one table that has the name of the type, or its plural; nil when none or several have.
  func table(in names: TableNames) -> String? {
    var plurals: Set<String> = [simpleName + "s", simpleName + "es"]
    if simpleName.hasSuffix("y") { plurals.insert(simpleName.dropLast() + "ies") }
    var same: [String] = []
    var fitting: [String] = []
    for name in names.sources {
      let folded = asciiLowercased(name)
      if folded == simpleName { same.append(name) }
      if plurals.contains(folded) { fitting.append(name) }
    }
    let found = same.isEmpty ? fitting : same
    return found.count == 1 ? found[0] : nil
  }
}

extension TableNames {
  /// The canonical name of the table of a type, or the type's name where it cannot be told.
  func canonical(entityType: String?) -> String? {
    guard let entityType else { return nil }
    return EntityTypeName(entityType).table(in: self).flatMap { canonical($0) } ?? entityType
  }
}
