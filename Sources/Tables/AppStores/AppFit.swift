package import Bytes
package import Records

/// How the tables of a seed fit an app's own store, found before anything is written.
package struct AppFit: Sendable {
  /// Something that does not fit.
  package struct Misfit: Sendable, Equatable {
    /// The table of the data.
    package let table: String
    /// The column, where it is one.
    package let column: String?
    /// What is wrong.
    package let message: String
    package let hint: String?
    /// Whether the app knows nothing of it, so that it can be left out.
    let isUnknown: Bool
  }

  /// Whether what the app knows nothing of is left out.
  let leavesOutUnknown: Bool
  /// All that does not fit.
  package private(set) var misfits: [Misfit] = []
  /// The tables that are left out.
  package private(set) var unknownTables: Set<ExactText> = []
  /// The columns that are left out, with their tables.
  package private(set) var unknownColumns: [(table: String, column: String)] = []

  /// Nothing was looked at yet.
  package init(leavingOutUnknown: Bool) {
    leavesOutUnknown = leavingOutUnknown
  }

  /// What is to be done where the app has no such thing.
  ///
  /// Only who makes an export or a canonical store may call their columns otherwise.
  package static let hintOfNames =
    "the app's model and the data must be of one version, or --rename must say what the app calls a "
    + "column; that of an export or a canonical store, where it is made from the original store"

  /// Notes something that cannot be.
  package mutating func refuse(
    _ table: Table, _ column: Column?, _ message: String, hint: String? = nil
  ) {
    add(table, column, message, hint: hint, isUnknown: false)
  }

  /// Notes a reference that leads elsewhere in the app, where its keys would mean other rows.
  package mutating func refuse(
    _ table: Table, _ column: Column, leadingTo target: String, as property: String,
    to other: String
  ) {
    refuse(
      table, column,
      "\(property) of the template leads to \(other), and \(table.name).\(column.name) to \(target)",
      hint: Self.hintOfNames)
  }

  /// Notes something of which the app knows nothing.
  package mutating func addUnknown(
    _ table: Table, _ column: Column?, _ message: String, hint: String
  ) {
    guard leavesOutUnknown else {
      return add(table, column, message, hint: hint, isUnknown: true)
    }
    if let column {
      unknownColumns.append((table.name, column.name))
    } else {
      unknownTables.insert(ExactText(table.name))
    }
  }

  private mutating func add(
    _ table: Table, _ column: Column?, _ message: String, hint: String?, isUnknown: Bool
  ) {
    misfits.append(
      Misfit(
        table: table.name, column: column?.name, message: message, hint: hint,
        isUnknown: isUnknown))
  }

  /// Throws what does not fit, all of it at once.
  package func check(_ template: AppTemplate) throws(StoreError) {
    guard let first = misfits.first else { return }
    var hints: [String] = []
    for hint in misfits.compactMap(\.hint) where !hints.contains(hint) { hints.append(hint) }
    if misfits.contains(where: \.isUnknown) {
      hints.append("leave out what the app does not know with --drop-unknown")
    }
    let message =
      misfits.count == 1
      ? first.message
      : "\(misfits.count) things do not fit: " + misfits.map(\.message).joined(separator: "; ")
    // The template may be the right one, and the data others.
    throw StoreError(
      .usage, path: template.path, message,
      hint: hints.isEmpty ? nil : hints.joined(separator: "; or "))
  }
}
