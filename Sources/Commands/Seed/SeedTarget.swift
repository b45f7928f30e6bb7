import Bytes
import CommandLineKit
import Records
import Writers

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

  /// Reads the options, and opens the template.
  ///
  /// - Throws: `StoreError` when an option does not fit the kind, or the template cannot be read or
  ///   would be replaced.
  init(_ settings: RunSettings, readers: [any StoreReader]) throws(StoreError) {
    let arguments = settings.arguments
    kind = arguments.value("into").flatMap { Kind(rawValue: $0.text) } ?? .canonical
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
      try AppTemplate(opening: path, temporaryFolder: settings.temporaryFolder)
    }
    model = try kind == .coreData ? path.map(settings.openTemplate) : nil
    if let template, let output = arguments.value("output")?.text {
      try SourceProtection(template.inputFiles).check(output)
    }
    types = try Self.types(arguments, readers)
    guard kind != .toolkit, !arguments.values("entity-type").isEmpty else { return }
    throw StoreError(
      .usage, "--entity-type is only for stores of the toolkit", hint: "--into toolkit")
  }

  /// Loads a store of the kind.
  ///
  /// - Throws: `StoreError` as `Loading.run`; also when the template does not fit.
  func run(_ loading: Loading) async throws(StoreError) -> LoadReport {
    switch kind {
    case .canonical: try await loading.run()
    case .coreData:
      try await loading.run { () throws(StoreError) in
        guard let template, let model, let storage = model.objectStorage else {
          throw StoreError(
            .usage, path: template?.path, "the template is no Core Data store",
            hint: "give an empty store that the app itself has created")
        }
        return try CoreDataStore(
          destination: loading.output, replacing: loading.isReplacing, template: template,
          catalogue: model.catalogue, storage: storage,
          interruption: loading.settings.interruption)
      }
    case .toolkit:
      try await loading.run { () throws(StoreError) in
        try ToolkitStore(
          destination: loading.output, replacing: loading.isReplacing, template: template,
          types: types, interruption: loading.settings.interruption)
      }
    }
  }

  private static func types(
    _ arguments: ParsedArguments, _ readers: [any StoreReader]
  ) throws(StoreError) -> ToolkitTypes {
    let tables = Set(readers.flatMap(\.catalogue.tables).map(\.name))
    var types: [String: String] = [:]
    for text in arguments.values("entity-type").map(\.text) {
      let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2 else {
        throw StoreError(.usage, "--entity-type takes TABLE=TYPE, not \(text)")
      }
      guard tables.contains(parts[0]) else {
        throw StoreError(
          .usage, "--entity-type names the table \(parts[0]), which no input has",
          hint: tables.isEmpty ? nil : "the tables are \(tables.sorted().joined(separator: ", "))")
      }
      types[parts[0]] = parts[1]
    }
    return ToolkitTypes(types)
  }
}
