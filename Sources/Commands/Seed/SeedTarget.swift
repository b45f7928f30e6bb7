import Bytes
import CommandLineKit
import CoreData
import Exports
import Records
import SyncSDKs
import Tables

/// The kind of store that a seed writes, with what the options say about it.
struct SeedTarget {
  /// The kinds, as `--into` spells them.
  enum Kind: String, CaseIterable {
    case canonical
    case coreData = "core-data"
    case toolkit
  }

  let kind: Kind
  private let template: AppTemplate?
  /// What a reader says about the template of a Core Data store.
  private let model: (any StoreReader)?
  private let types: ToolkitTypes
  private let leavesOutUnknown: Bool

  /// Reads the options, and opens the template.
  init(_ session: Session, readers: [any StoreReader]) throws(StoreError) {
    let arguments = session.arguments
    kind = Self.kind(arguments)
    let path = arguments.value("template")?.text
    if kind == .canonical, path != nil {
      throw StoreError(
        .usage, "a canonical store needs no template", hint: "leave --template away")
    }
    if kind == .coreData, path == nil {
      throw StoreError(
        .usage, "a Core Data store is made from an empty one that the app itself has created",
        hint: "start the app once without data, copy its store with its -wal file, and give it "
          + "with --template FILE")
    }
    template = try path.map { (path) throws(StoreError) in
      try AppTemplate(opening: path, temporaryFolder: session.temporaryFolder)
    }
    model = try kind == .coreData ? path.map(session.openTemplate) : nil
    types = try Self.types(arguments, readers)
    leavesOutUnknown = arguments.flag("drop-unknown")
    guard kind != .canonical || !leavesOutUnknown else {
      throw StoreError(
        .usage, "a canonical store has a place for everything", hint: "leave --drop-unknown away")
    }
    guard kind != .toolkit, !arguments.values("entity-type").isEmpty else { return }
    throw StoreError(
      .usage, "--entity-type is only for stores of the toolkit", hint: "--into toolkit")
  }

  /// The kind that `--into` names.
  static func kind(_ arguments: ParsedArguments) -> Kind {
    arguments.value("into").flatMap { Kind(rawValue: $0.text) } ?? .canonical
  }

  /// How the chosen tables of all inputs fit the template; nil where there is none.
  func fit(_ inputs: OpenInputs, _ selection: TableSelection?) throws(StoreError) -> AppFit? {
    guard let template else { return nil }
    let chosen = try inputs.selections(selection)
    let tables = zip(inputs.readers, chosen).flatMap { reader, places in
      places.sorted().map { reader.catalogue.tables[$0].withoutSource }
    }
    let all = inputs.readers.flatMap(\.catalogue.withoutSources.tables)
    guard kind == .coreData else {
      return try ToolkitStore.fit(
        of: tables, among: all, from: inputs.readers.map(\.source), in: template, types: types,
        leavingOutUnknown: leavesOutUnknown)
    }
    let (catalogue, storage) = try objects()
    return try CoreDataStore.fit(
      of: tables, among: all, in: template, catalogue, storage,
      numbered: Self.numberedTables(inputs.readers), leavingOutUnknown: leavesOutUnknown)
  }

  /// The tables of plain files whose rows have no keys there.
  private static func numberedTables(_ readers: [any StoreReader]) -> Set<ExactText> {
    Set(
      readers.flatMap { reader in
        reader.catalogue.tables.enumerated().filter { place, _ in
          reader.plainFiles?.numbersRows(ofTable: place) == true
        }.map { ExactText($1.name) }
      })
  }

  /// Throws what does not fit.
  func check(_ fit: AppFit?) throws(StoreError) {
    if let template { try fit?.check(template) }
  }

  /// What the template of a Core Data store holds.
  private func objects() throws(StoreError) -> (Catalogue, ObjectStorage) {
    guard let model, let storage = model.objectStorage else {
      throw StoreError(
        .unsupported, path: template?.path, "the template is no Core Data store",
        hint: AppTemplate.advice)
    }
    return (model.catalogue, storage)
  }

  /// Loads a store of the kind; a trial leaves nothing behind.
  ///
  /// - Throws: `StoreError` as `Loading.run`; also when the template does not fit.
  func run(_ loading: Loading) throws(StoreError) -> LoadReport {
    switch kind {
    case .canonical where loading.isTrial: try loading.run { NoStore() }
    case .canonical: try loading.run()
    case .coreData:
      try loading.run { () throws(StoreError) in
        let (catalogue, storage) = try objects()
        guard let template else { throw StoreError(.internalError, "there is no template") }
        let chosen = try loading.inputs.selections(loading.output.selection)
        let sources = zip(loading.inputs.readers, chosen).map { ObjectSource($0, tables: $1) }
        return try CoreDataStore(
          destination: loading.output.path, replacing: loading.output.isReplacing,
          template: template,
          catalogue: catalogue, storage: storage, sources: sources,
          leavingOutUnknown: leavesOutUnknown,
          interruption: loading.session.interruption)
      }
    case .toolkit:
      try loading.run { () throws(StoreError) in
        try ToolkitStore(
          destination: loading.output.path, replacing: loading.output.isReplacing,
          template: template, sourceCount: loading.inputs.readers.count,
          types: types, leavingOutUnknown: leavesOutUnknown,
          interruption: loading.session.interruption)
      }
    }
  }

  private static func types(
    _ arguments: ParsedArguments, _ readers: [any StoreReader]
  ) throws(StoreError) -> ToolkitTypes {
    let tables = Set(readers.flatMap(\.catalogue.tables).map { ExactText($0.name) })
    var types: [ExactText: String] = [:]
    for text in arguments.values("entity-type").map(\.text) {
      let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2 else {
        throw StoreError(.usage, "--entity-type takes TABLE=TYPE, not \(text)")
      }
      guard tables.contains(ExactText(parts[0])) else {
        throw StoreError(
          .usage, "--entity-type names the table \(parts[0]), which no input has",
          hint: KnownNames.tables(tables.sorted().map(\.wrappedValue)))
      }
      types[ExactText(parts[0])] = parts[1]
    }
    return ToolkitTypes(types)
  }
}
