import Bytes
import Opening
import Records
import Synchronization

/// What a person says about the tables and columns of several stores, of which each takes what is
/// about it.
///
/// It notes what no store has taken yet, for they may be opened side by side, so it has identity.
final class SharedCorrections: Sendable {
  private struct Notes {
    var strays: Corrections
    /// The tables that there are, those that look the same once.
    var tables: [Table] = []
    var looks: Set<[ExactText]> = []

    mutating func add(_ table: Table) {
      let names = [table.name, table.sourceName] + table.columns.map(\.name)
      if looks.insert(names.map { ExactText($0) }).inserted { tables.append(table) }
    }
  }

  private let all: Corrections
  private let notes: Mutex<Notes>

  /// Takes what a person says.
  ///
  /// - Throws: `StoreError` where something of it is no correction, whatever the stores have.
  init(_ all: Corrections) throws(StoreError) {
    try all.checkForm()
    self.all = all
    notes = Mutex(Notes(strays: all))
  }

  /// Opens a store with what is about it.
  ///
  /// - Throws: `StoreError` where the store cannot be opened, or does not take what is about it.
  func open(
    _ open: (Corrections) throws(StoreError) -> any StoreReader
  ) throws(StoreError) -> any StoreReader {
    // Most often the stores have the same tables, and are opened but once.
    do {
      let reader = try open(all)
      note(all)
      return reader
    } catch {
      guard error.kind == .usage, !all.isEmpty else { throw error }
    }
    let reader = try open(Corrections())
    let own = all.about(reader.catalogue)
    notes.withLock { notes in
      for table in reader.catalogue.tables { notes.add(table) }
    }
    guard !own.isEmpty else { return reader }
    let corrected = try open(own)
    note(own)
    return corrected
  }

  private func note(_ taken: Corrections) {
    notes.withLock { $0.strays = $0.strays.without(taken) }
  }

  /// Throws where one is about no store, once all are open, or why a store has not taken it.
  func checkAllMet(refusal: StoreError? = nil) throws(StoreError) {
    let (strays, tables) = notes.withLock { ($0.strays, $0.tables) }
    guard !strays.isEmpty else { return }
    let stray = strays.types.first ?? strays.names.first ?? ""
    throw refusal
      ?? StoreError(
        .usage,
        strays.types.isEmpty
          ? "--rename \(stray): no store has such a table or column"
          : "--type \(stray): no store has such a column",
        hint: KnownNames(tables).hint(forCorrection: stray))
  }
}

extension Session {
  /// What is wrong with an option that is for files of a format of which there was none, or about a
  /// table or a column that no store has.
  func unmet(
    _ corrections: SharedCorrections?, _ selection: SharedSelection? = nil
  ) -> StoreError? {
    do {
      try formatOptions.checkAllMet()
      try corrections?.checkAllMet()
      try selection?.checkAllMet()
      return nil
    } catch {
      return error
    }
  }

  /// Tells of an option that met none of the stores that were read, as one of the others may have what
  /// it is about.
  func sayUnmet(_ error: StoreError) {
    say("note: \(error.message), of those that were read")
  }
}
