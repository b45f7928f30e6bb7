import Bytes
import CommandLineKit
import Exports
import Opening
import Records

/// The inputs of a seed, opened; together they may have each table once.
///
/// Plain files that have a table of one name are its pages.
struct SeedInputs {
  let readers: [any StoreReader]
  private let paths: [String]

  private struct Group {
    var paths: [String]
    var files: [PlainFile] = []
    /// Its only input, where that is no plain file.
    var reader: (any StoreReader)?
    /// What the tables of plain files shall be called.
    var tables: Set<ExactText> = []

    /// Whether only parts of its files were looked at.
    var isExpected: Bool { files.contains(where: \.isExpected) }

    var tableNames: [String] { files.flatMap(\.tableNames) }

    /// Takes in all of another one.
    mutating func add(_ other: Group) {
      paths += other.paths
      files += other.files
      tables.formUnion(other.tables)
    }
  }

  /// Opens all inputs; with `expecting`, only parts of long plain files are looked at, and nothing is
  /// said yet.
  ///
  /// - Returns: nil where that is not enough to tell whether the inputs fit what was asked for.
  init?(_ session: Session, expecting: Bool) throws(StoreError) {
    let corrections = session.corrections(
      drops: session.arguments.values("drop").map(\.text), mentions: SeedReferences.places(session))
    let paths = session.arguments.positionals("INPUT").map(\.text)
    let outputs = session.outputs
    for path in paths { try outputs.check(.store(path)) }
    var groups: [Group] = []
    do throws(StoreError) {
      try Self.open(paths, into: &groups, corrections, expecting, session)
      if groups.contains(where: { $0.isExpected && $0.files.count > 1 }) { return nil }
      try Self.openOthers(&groups, corrections, session)
      try session.formatOptions.checkAllMet()
      self.paths = groups.map { $0.paths[0] }
      readers = try Self.readers(groups, corrections, session, isSilent: expecting)
    } catch {
      // Of two troubles, that of the file is told that comes first.
      guard groups.contains(where: \.isExpected) else { throw error }
      return nil
    }
  }

  /// Says what was opened.
  func sayOpened(_ session: Session) {
    for (reader, path) in zip(readers, paths) { session.sayOpened(reader, path) }
  }

  private static func readers(
    _ groups: [Group], _ corrections: Corrections, _ session: Session, isSilent: Bool
  ) throws(StoreError) -> [any StoreReader] {
    let names = groups.flatMap(\.tableNames)
    try check(corrections, names, isAlone: groups.flatMap(\.paths).count == 1)
    var corrected = try SeedCorrections(session, inputs: groups.count)
    var readers: [any StoreReader] = []
    let all = Set(names.map { ExactText($0) })
    let calls = groups.map { group in
      Set(group.tableNames.flatMap { CatalogueNames.calls($0, among: all) }.map { ExactText($0) })
    }
    let ownNames = Set(calls.flatMap(\.self))
    let byTable = CorrectionsByTable(corrections)
    for (place, group) in groups.enumerated() {
      let path = group.paths[0]
      var opening = try session.opening(for: path)
      opening.joinsPages = true
      opening.corrections =
        groups.count == 1
        ? corrections
        : byTable.about(calls[place].union(group.tables.subtracting(ownNames)))
      opening.corrected = try corrected?.file(
        forInput: session.file(for: path), isPlain: !group.files.isEmpty)
      let reader: any StoreReader
      if let opened = group.reader {
        reader = opened
      } else {
        reader = try opening.reader(ofPlainFiles: group.files)
      }
      if !isSilent { session.sayOpened(reader, path) }
      readers.append(reader)
    }
    try corrected?.checkAllMet()
    try checkTables(readers)
    let owners = try ownersOfQueues(readers)
    let kind = SeedTarget.kind(session.arguments)
    // The store of an app takes only what is about rows and tables that it has by then.
    if kind != .canonical {
      readers =
        readers.indices.filter { !owners.contains($0) }.map { readers[$0] }
        + owners.map { readers[$0] }
    }
    let resolved = try SeedReferences(session).resolve(readers, session)
    return kind == .toolkit ? try ReferencesByID.readers(resolved, session) : resolved
  }

  private static func open(
    _ paths: [String], into groups: inout [Group], _ corrections: Corrections, _ expecting: Bool,
    _ session: Session
  ) throws(StoreError) {
    for path in paths {
      session.budget.beginStore()
      var opening = try session.opening(for: path)
      opening.expectsTypes = expecting
      let file = try opening.plainFile(at: session.file(for: path))
      groups.append(Group(paths: [path], files: file.map { [$0] } ?? []))
    }
    // What a table may be called depends on the names of all.
    let names = Set(groups.flatMap(\.tableNames).map { ExactText($0) })
    var grouping = TableGroups()
    for place in groups.indices {
      groups[place].tables = Set(
        groups[place].tableNames.map { ExactText(corrections.name(ofTable: $0, among: names)) })
      grouping.add(groups[place].tables)
    }
    // A file with pages of several tables holds together those that have others of them.
    groups = grouping.all.map { places in
      places.dropFirst().reduce(into: groups[places[0]]) { $0.add(groups[$1]) }
    }
  }

  /// Opens what is no plain file, so that an input that cannot be read is told before what its options
  /// are about; corrections beside others are about plain files.
  private static func openOthers(
    _ groups: inout [Group], _ corrections: Corrections, _ session: Session
  ) throws(StoreError) {
    for place in groups.indices where groups[place].files.isEmpty {
      let path = groups[place].paths[0]
      var opening = try session.opening(for: path)
      if groups.count == 1 { opening.corrections = corrections }
      groups[place].reader = try opening.reader(forStoreAt: session.file(for: path))
    }
  }

  private static func check(
    _ corrections: Corrections, _ tables: [String], isAlone: Bool
  ) throws(StoreError) {
    let all = Set(tables.map { ExactText($0) })
    let names = tables.flatMap { table in
      CatalogueNames.calls(table, among: all) + [corrections.name(ofTable: table, among: all)]
    }
    guard !isAlone else { return }
    try corrections.checkForm()
    guard let correction = corrections.stranger(to: names) else { return }
    throw StoreError(
      .usage, "\(correction) names no table of a plain file",
      hint: KnownNames.tables(tables))
  }

  private static func checkTables(_ readers: [any StoreReader]) throws(StoreError) {
    var owners: [ExactText: (path: String, name: String, plainName: String?)] = [:]
    for reader in readers {
      let path = path(of: reader)
      for table in reader.catalogue.tables {
        // A table of a plain file may have got its name by a correction, which is to be given anew.
        let plainName = reader.plainFiles == nil ? nil : table.sourceTable
        let name = ExactText(sqlName: table.name)
        guard let other = owners.updateValue((path, table.name, plainName), forKey: name)
        else { continue }
        let renaming = (plainName ?? other.plainName).map { quotedForShell($0 + "=NAME") }
        throw StoreError(
          .usage, path: path,
          "the table \(table.name) comes from \(other.path), too"
            + (hasSameBytes(other.name, table.name) ? "" : ", where it is called \(other.name)"),
          hint: renaming.map { "rename that of the plain file: --rename \($0)" }
            ?? "join the stores with 'rehome convert', and seed what that makes")
      }
    }
  }

  /// Which inputs bring operations, errors or tokens, in their order; that with operations comes last.
  ///
  /// A queue that is alone meets no other, and need not be read twice.
  ///
  /// - Throws: `StoreError` where several have operations.
  private static func ownersOfQueues(_ readers: [any StoreReader]) throws(StoreError) -> [Int] {
    guard readers.count > 1 else { return [] }
    var owner: Int?
    var others: [Int] = []
    for (place, reader) in readers.enumerated() {
      let queue = try reader.readQueue()
      guard !queue.operations.isEmpty else {
        if !queue.errors.isEmpty || !queue.tokens.isEmpty { others.append(place) }
        continue
      }
      if let owner {
        throw StoreError(
          .usage, path: path(of: reader),
          "it has pending operations, and so has \(path(of: readers[owner]))",
          hint: "seed one store from each")
      }
      owner = place
    }
    return others + (owner.map { [$0] } ?? [])
  }

  private static func path(of reader: any StoreReader) -> String {
    reader.inputFiles.first ?? reader.source.name
  }
}
