import Bytes
import Records
import Synchronization

/// The tables that a person means in the stores of a command, of which each may have but some.
///
/// It notes what no store has, for they may be opened side by side, so it has identity.
final class SharedSelection: Sendable {
  private struct Notes {
    var strays: Set<ExactText>
    var names: Set<ExactText> = []
  }

  private let selection: TableSelection
  private let notes: Mutex<Notes>

  /// Takes what a person says; nil where that is nothing.
  init?(_ selection: TableSelection) {
    guard !selection.isOpen else { return nil }
    self.selection = selection
    notes = Mutex(Notes(strays: Set(selection.patterns.map { ExactText($0) })))
  }

  /// A store as if it had no other tables.
  func view(of reader: any StoreReader) throws(StoreError) -> any StoreReader {
    let queue = try reader.readQueue()
    let tables = reader.catalogue.tables
    let others = queue.operations.tableNames
      .union(queue.errors.lazy.compactMap { $0.table.map { ExactText($0) } })
      .union(queue.tokens.lazy.compactMap { $0.table.map { ExactText($0) } })
    let (chosen, strays) = selection.chosen(among: tables, and: others)
    notes.withLock { notes in
      notes.strays.formIntersection(strays)
      notes.names.formUnion(others)
      notes.names.formUnion(tables.lazy.map { ExactText($0.name) })
    }
    return ChosenTables(chosen, of: reader, queue: queue)
  }

  /// Throws where a name or a pattern means no table of any store, once all are open.
  func checkAllMet() throws(StoreError) {
    let (strays, names) = notes.withLock { ($0.strays, $0.names) }
    guard let stray = selection.patterns.first(where: { strays.contains(ExactText($0)) }) else {
      return
    }
    throw TableSelection.error(noTableMatching: stray, names.sorted().map(\.wrappedValue))
  }
}
