import Records
import SyncSDKs

/// What rows are expected to have, by the numbers of the sources that they are of.
struct RowRules: Sendable {
  private let sdks: DeviceSDKs
  private let idless: Set<Int32>
  private let branches: Set<Int32>
  private let unmarked: Set<Int32>
  /// What may stand before the names of system columns.
  let systemPrefixes: [String]

  /// What the SDKs of a store's devices do otherwise than most.
  init(of source: SourceDescription) {
    sdks = source.sdks
    idless = sdks.numbers { !$0.hasIDsFromTheStart || $0.sendsBranches }
    branches = sdks.numbers(where: \.sendsBranches)
    unmarked = sdks.numbers { !$0.hasDeletionMarks }
    systemPrefixes = sdks.systemPrefixes
  }

  /// Whether rows may have no id yet: an object that was never saved has only the name that its
  /// device gave it.
  func mayLackIDs(_ source: Int32) -> Bool { !idless.isEmpty && idless.contains(source) }

  /// Whether rows are told by their revisions, and not by a version and an operation.
  func areOfBranches(_ source: Int32) -> Bool { !branches.isEmpty && branches.contains(source) }

  /// Whether a mark of deletion is the server's; what Parse marks is about to be deleted by the app,
  /// and an operation tells of it.
  func haveDeletionMarks(_ source: Int32) -> Bool {
    unmarked.isEmpty || !unmarked.contains(source)
  }

  /// Whether a column is part of what is sent of a row.
  func sends(_ column: Column, _ source: Int32) -> Bool { sdks[source].style.sends(column) }
}
