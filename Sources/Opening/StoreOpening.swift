import Bytes
import Canonical
import CoreData
package import Exports
package import Records
package import SQLite
import SQLiteFile
import SyncSDKs
import Tables

/// Opens whatever can be read as a store, by its content and never by its name.
package struct StoreOpening: Sendable {
  /// Where private copies go.
  var temporaryFolder: String
  /// Raised when the run must stop; the caller keeps it alive as long as any reader.
  var interruption: Interruption
  /// What the person says about tables and columns.
  package var corrections: Corrections
  /// A file of corrected rows for the plain file that is opened.
  package var corrected: String?
  /// What is only for plain files of one format.
  package var formatOptions = FormatOptions()
  /// What the person calls the file that is opened, which may be a copy.
  package var givenPath: String?
  /// What the person says about plain files.
  package var plain = PlainOptions()
  /// Whether a row that comes several times on the pages of a table is given once, and the others as
  /// rows that gave way.
  package var joinsPages = false
  /// Whether only parts of a long plain file are looked at before its rows are read.
  package var expectsTypes = false
  /// The model that Core Data stores are read with, instead of the one inside them.
  package var modelPath: String?
  /// Whether the model is first of all that of another store, so that this one may be of no use for it.
  package var modelIsAnothers = false
  /// Whether transformables of Core Data stores get a second column with what they say.
  package var decodesTransformables = false
  /// Whether what can still be read of a damaged store is read.
  package var salvages = false

  /// Settings for a run.
  package init(
    temporaryFolder: String, interruption: Interruption, corrections: Corrections = Corrections()
  ) {
    self.temporaryFolder = temporaryFolder
    self.interruption = interruption
    self.corrections = corrections
  }

  /// Recognises and opens the store at `path`.
  ///
  /// - Throws: `StoreError` when there is nothing, it is of no known kind, it is damaged, it is changed
  ///   meanwhile, or the system does not let us.
  package func reader(forStoreAt path: String) throws(StoreError) -> any StoreReader {
    let stamp = FileStamp(of: path)
    do {
      if let reader = try fileReader(at: path) { return reader }
    } catch {
      guard error.kind.mayComeOfChange, FileStamp(of: path) != stamp else { throw error }
      throw StoreError(SourceChange(of: path))
    }
    let path = CouchbaseLite.database(at: path)
    let files = try storeErrors { () throws(SQLiteError) in try SourceFiles(of: path) }
    do {
      return try databaseReader(of: files)
    } catch {
      throw files.change(behind: error).map { StoreError($0) } ?? error
    }
  }

  /// The reader of what is no SQLite database; nil where it may be one.
  private func fileReader(at path: String) throws(StoreError) -> (any StoreReader)? {
    if plain.mayMeanNoPlainFile, CoreDataXMLReader.isStore(at: path) {
      try checkNoCorrections(path, of: "a Core Data XML store")
      return try CoreDataXMLReader(path: path, versions: modelVersions(), interruption)
    }
    if plain.mayMeanNoPlainFile, ParseCommandReader.isStore(at: path) {
      try checkNoCorrections(path, of: "a queue of Parse in files")
      return ParseCommandReader(at: path)
    }
    if let kind = try ExportKind(ofExportAt: path, plain) {
      return try exportReader(kind, at: path)
    }
    return nil
  }

  private func databaseReader(of files: SourceFiles) throws(StoreError) -> any StoreReader {
    let opened: OpenedDatabase
    do {
      opened = try openDatabase(of: files)
    } catch {
      return try salvagedReader(of: files, insteadOf: error)
    }
    do {
      return try reader(of: opened.database, opened.layout)
    } catch {
      // Only the engine's own words tell of damage that the checks have not seen.
      guard error.message.hasSuffix(SQLiteError.damageWords) else { throw error }
      return try salvagedReader(of: files, insteadOf: error)
    }
  }

  private struct OpenedDatabase: ~Copyable {
    let database: SourceDatabase
    let layout: LayoutRecognition
  }

  private func openDatabase(of files: SourceFiles) throws(StoreError) -> OpenedDatabase {
    // The error names its file itself: it may be a side file or the temporary folder.
    var database = try storeErrors { () throws(SQLiteError) in
      try SourceDatabase(opening: files, temporaryFolder: temporaryFolder)
    }
    database.connection.watch(interruption)
    try checkStructure(of: &database)
    let layout = try storeErrors(path: files.main.path) { () throws(SQLiteError) in
      try LayoutRecognition(of: database.connection)
    }
    return OpenedDatabase(database: database, layout: layout)
  }

  private func reader(
    of database: consuming SourceDatabase, _ layout: LayoutRecognition
  ) throws(StoreError) -> any StoreReader {
    let path = database.files.main.path
    try checkModelMakesSense(for: layout, path)
    switch layout {
    case .rehome:
      try checkNoCorrections(
        path, of: "a canonical store",
        hint: "convert the original store again with them, before anything is marked or replayed")
      return try CanonicalReader(database)
    case .azureMobileIOS:
      return try AzureMobileIOSReader(
        database, adding: coreDataExtension(), corrections: corrections)
    case .coreData:
      var addition = try coreDataExtension()
      addition.unreadQueues = [IOSNames.operations]
      return try CoreDataReader(database, adding: addition, corrections: corrections)
    case .sdk(.own(let words, let reader)):
      try checkNoCorrections(path, of: words)
      return try reader(database)
    case .sdk(.tables(let layout)):
      return try SQLiteTablesReader(database, layout: layout, corrections: corrections)
    }
  }

  /// What can be read of a damaged store, when that is wanted; else the damage is the error.
  private func salvagedReader(
    of files: SourceFiles, insteadOf error: StoreError
  ) throws(StoreError) -> any StoreReader {
    let path = files.main.path
    var error = error
    // A file that has lost its first page does not look like a store any more.
    let isOfLaterFormat = error.message.hasSuffix(SQLiteError.laterFormatWords)
    if error.kind != .damaged, salvages || !isOfLaterFormat, PageFile.hasLostBeginning(path) {
      error = StoreError(
        .damaged, path: path, "the beginning of the store is lost or overwritten")
    }
    guard error.kind == .damaged else { throw error }
    guard salvages else {
      error.hint =
        error.message.contains("malformed database schema")
        ? "a newer SQLite may have made it, then --salvage reads it; else copy it again with its "
          + "\(files.sideEnding) file"
        : "copy it again with its \(files.sideEnding) file, or read what can be read with --salvage"
      throw error
    }
    // What is only being written to is not taken for damaged.
    if let change = files.change(behind: error) { throw StoreError(change) }
    var account = SalvageAccount()
    let database = try storeErrors { () throws(SQLiteError) in
      try SourceDatabase(salvaging: files, temporaryFolder: temporaryFolder) {
        (damaged, lacksSideChanges, new) throws(SQLiteError) in
        account = try StoreRebuild(path: damaged, interruption: interruption).fill(new)
        account.lacksSideChanges = lacksSideChanges
      }
    }
    guard !account.tables.isEmpty else {
      throw StoreError(
        .damaged, path: path,
        "the list of the store's tables is lost or damaged, and nothing else tells what its rows are; "
          + "rows that were found: \(account.unclaimedRows)",
        hint: "look for an older backup")
    }
    database.connection.watch(interruption)
    let layout = try storeErrors(path: path) { () throws(SQLiteError) in
      try LayoutRecognition(of: database.connection)
    }
    return SalvagedReader(
      try reader(of: database, layout), account, damage: error.message)
  }

  /// Whether a file that does not begin as a database holds pages of one.
  package static func hasLostBeginning(_ path: String) -> Bool { PageFile.hasLostBeginning(path) }

  /// Whether a file is an export of whatever form; what is wrong with one its reader tells.
  package static func isExport(_ path: String) -> Bool {
    do {
      return try ExportKind(ofExportAt: path, PlainOptions()) != nil
    } catch {
      return true
    }
  }

  /// Whether a folder that holds files of these names is a store as a whole.
  package static func isStore(inFolder folder: String, holding names: Set<String>) -> Bool {
    ParseCommandReader.isStore(at: folder, holding: names)
  }

  /// Whether a file of this name may be a part of such a folder.
  package static func isPartOfFolderStore(_ name: String) -> Bool {
    ParseCommandReader.isPart(named: name)
  }

  /// What a person should know of what a container has around a file, by the layout that this must
  /// turn out to have; paths begin with a slash.
  package static func findings(
    aroundFileAt path: String, holding fileNames: @escaping (_ folder: String) -> [String],
    isThere: @escaping (_ path: String) -> Bool
  ) -> [Layout: Finding] {
    Surroundings(path: path, fileNames: fileNames, isThere: isThere).findings
  }

  /// What its reader tells of what the disk has around a store that has turned out to have a layout.
  package static func finding(aroundStoreAt path: String, of layout: Layout) -> Finding? {
    Surroundings.finding(aroundFileAt: CouchbaseLite.database(at: path), of: layout)
  }

  /// The names of the files of the bundle that a manifest describes; nil where it is damaged.
  package static func files(ofManifest path: String) -> Set<String>? {
    BundleReader.files(ofManifest: path)
  }

  /// Whether the first bytes of a file are those of a Core Data XML store.
  package static func isXMLStore(startingWith bytes: [UInt8]) -> Bool {
    CoreDataXMLStore.isStore(startingWith: bytes)
  }

  private func checkNoCorrections(
    _ path: String, of what: String, hint: String = "leave --type and --rename away"
  ) throws(StoreError) {
    guard !corrections.isEmpty else { return }
    throw StoreError(
      .usage, path: path, "\(what) takes no corrections of names or types", hint: hint)
  }

  private func coreDataExtension() throws(StoreError) -> CoreDataReader.Extension {
    var addition = CoreDataReader.Extension()
    addition.modelVersions = try modelVersions()
    addition.decodesTransformables = decodesTransformables
    return addition
  }

  private func modelVersions() throws(StoreError) -> ModelVersions? {
    guard let modelPath else { return nil }
    return try ModelVersions(at: modelPath)
  }

  private func checkModelMakesSense(
    for layout: LayoutRecognition, _ path: String
  ) throws(StoreError) {
    switch layout {
    case .azureMobileIOS, .coreData: return
    case .rehome, .sdk:
      guard modelPath != nil, !modelIsAnothers else { return }
      throw StoreError(
        .usage, path: path, "a model makes no sense for this store, which is not Core Data's",
        hint: "leave --model away")
    }
  }

  /// Looks at a plain file; nil when something else stands at the path.
  package func plainFile(at path: String) throws(StoreError) -> PlainFile? {
    guard case .plain(let format)? = try ExportKind(ofExportAt: path, plain) else { return nil }
    return try plainFile(at: path, format)
  }

  /// The reader of plain files that belong together.
  ///
  /// - Throws: `StoreError` when pages or corrections do not fit.
  package func reader(ofPlainFiles files: [PlainFile]) throws(StoreError) -> LooseFileReader {
    try LooseFileReader(files, plainFileSettings)
  }

  private var plainFileSettings: PlainFileSettings {
    var settings = PlainFileSettings(
      temporaryFolder: temporaryFolder, interruption: interruption)
    settings.corrections = corrections
    settings.corrected = corrected
    settings.options = plain
    settings.joinsPages = joinsPages
    return settings
  }

  private func plainFile(at path: String, _ format: PlainFormat) throws(StoreError) -> PlainFile {
    let isJSON = format == .json || format == .ndjson
    if format == .csv { formatOptions.noteCSV() }
    let paths = try isJSON ? formatOptions.paths(forFileCalled: names(ofFileAt: path)) : []
    let form = try paths.isEmpty ? nil : JSONForm(told: paths)
    return try PlainFile(
      path: path, format: format, options: plain, form: form, expecting: expectsTypes)
  }

  /// By what a person may know a plain file: its table, its name packed or not, its path.
  private func names(ofFileAt path: String) -> [String] {
    var names = [plain.name(ofFileAt: path), givenPath ?? path]
    guard !plain.isUnnamed else { return names }
    let name = Paths.fileName(of: path)
    names.append(name)
    if name.lowercased().hasSuffix(".gz") { names.append(String(name.dropLast(3))) }
    return names
  }

  private func exportReader(
    _ kind: ExportKind, at path: String
  ) throws(StoreError) -> any StoreReader {
    if case .plain(let format) = kind {
      return try LooseFileReader([try plainFile(at: path, format)], plainFileSettings)
    }
    guard corrections.isEmpty else {
      throw StoreError(
        .usage, path: path, "an export takes no corrections of names or types",
        hint: "its hash covers them: export the original store again with them")
    }
    if case .document(let isXML) = kind { return try DocumentReader(path: path, isXML: isXML) }
    return try BundleReader(folder: path)
  }

  /// Checks the file's structure, and counts the rows of all tables by root page on the way.
  ///
  /// Where our check finds damage and the engine's does not, the engine is believed, and reads.
  private func checkStructure(of database: inout SourceDatabase) throws(StoreError) {
    let path = database.files.main.path
    let file = database.file
    let report = try storeErrors(path: path) { [interruption] () throws(PageError) in
      try PageFile(of: file).checkStructure(threads: threadCount()) { interruption.isRaised }
    }
    guard let damage = report.damage.first else {
      database.rowCounts = report.rowCounts
      database.overflowCounts = report.overflowCounts
      return
    }
    database.needsEngine = try database.isFoundSoundByEngine()
    guard !database.needsEngine else { return }
    throw StoreError(
      .damaged, path: path, "the store is damaged: \(damage.description)")
  }
}

extension SourceDatabase {
  /// Whether the engine finds nothing wrong with the structure of the file.
  fileprivate borrowing func isFoundSoundByEngine() throws(StoreError) -> Bool {
    try storeErrors(path: files.main.path) { () throws(SQLiteError) in
      try connection.isFoundSound()
    }
  }
}
