import Bytes
import CommandLineKit
import Places
import Records
import SQLite

/// The files and folders that a run writes, held against each other and against what it reads.
///
/// What an option makes stands in its description, so that no command can forget an output.
struct RunOutputs {
  private var outputs: [Output]

  /// The outputs that the options name.
  init(_ arguments: ParsedArguments) {
    outputs = arguments.paths.compactMap { option, path in
      let isStream = option.output.contains(.stream) && path == "-"
      let isFilled = option.output.contains(.contents) && Paths.isDirectory(path)
      guard !option.output.isEmpty, !isStream, !isFilled else { return nil }
      return Output(
        option: option.name, path: path, replacesFolder: option.output.contains(.folder))
    }
  }

  /// Whether there are none.
  var isEmpty: Bool { outputs.isEmpty }

  /// With further files that come of an option.
  func adding(_ paths: [String], of option: String) -> RunOutputs {
    var all = self
    all.outputs += paths.map { Output(option: option, path: $0, replacesFolder: false) }
    return all
  }

  /// Throws where two outputs would take each other's place.
  func checkDistinct() throws(StoreError) {
    for (number, output) in outputs.enumerated() {
      guard let other = outputs[..<number].first(where: output.meets) else { continue }
      throw StoreError(
        .usage, path: output.path,
        other.option == output.option
          ? "--\(output.option) would write two files to the same place"
          : "--\(other.option) and --\(output.option) write to the same place",
        hint: "give each a name of its own")
    }
  }

  /// Throws when writing would touch what the run uses, `--force` or not.
  ///
  /// An output also owns the names of a database's side files: what stands there goes when it is
  /// replaced. A new file under the name of a source's side file would become part of the source.
  ///
  /// What comes through a pipe, nil, can be touched by nobody.
  func check(_ used: UsedPath?) throws(StoreError) {
    guard let used else { return }
    for output in outputs {
      if output.takesPlace(of: used) {
        throw StoreError(
          .cannotCreate, path: output.path, "it is \(used.words)", hint: "give another name")
      }
      if output.goesInto(bundle: used) {
        throw StoreError(
          .cannotCreate, path: output.path, "it would lie in the source, which is never changed",
          hint: "give another name")
      }
      if output.holds(used) {
        throw StoreError(
          .cannotCreate, path: output.path,
          "the folder would be replaced, and in it is \(used.words)", hint: "give another name")
      }
      if output.isNamed(asPartOf: used) {
        throw StoreError(
          .cannotCreate, path: output.path, "SQLite would take it for a part of the source",
          hint: "give another name")
      }
    }
  }
}

extension RunOutputs {
  /// Something that a run reads, or goes on with.
  struct UsedPath {
    /// Where it is; of standard input the file that it was redirected from.
    let path: String
    /// What it is, as messages go on from "it is".
    let words: String
    /// Folders of which all that is in them is used; they matter only where something would be
    /// replaced.
    let folders: () -> [String]

    /// Nil where it comes through a pipe.
    init?(_ path: String, _ words: String, folders: @escaping (String) -> [String] = { _ in [] }) {
      guard let file = PipedInputs.file(behind: path) else { return nil }
      self.path = file
      self.words = words
      self.folders = { folders(file) }
    }

    /// A place in which stores may lie beside other files.
    static func place(_ path: String) -> UsedPath? { UsedPath(path, source) }

    /// A store that lies on the disk, or in a container there.
    static func store(_ path: String) -> UsedPath? {
      UsedPath(path, source, folders: StoreOnDisk.folders(ofStoreAt:))
    }

    private static let source = "the source itself, which is never changed"
  }

  /// What is made for an option.
  fileprivate struct Output {
    let option: String
    let path: String
    /// Whether a folder that stands there goes with all that is in it.
    let replacesFolder: Bool
    private let place: Place?
    private let places: Set<Place>
    /// What stands there now, and in which folders.
    private let standing: Set<FileIdentity>
    private let around: [FileIdentity]

    init(option: String, path: String, replacesFolder: Bool) {
      self.option = option
      self.path = path
      self.replacesFolder = replacesFolder && Paths.isDirectory(path)
      place = Place(path)
      places = Set(databaseNames(of: path).compactMap(Place.init))
      standing = Set(databaseNames(of: path).compactMap(FileIdentity.init(of:)))
      around = FileIdentity.folders(around: path)
    }

    func meets(_ other: Output) -> Bool {
      other.place.map(places.contains) == true || place.map(other.places.contains) == true
        || isInside(other) || other.isInside(self)
    }

    /// Whether it lies in a folder that the other one replaces.
    private func isInside(_ other: Output) -> Bool {
      other.replacesFolder && !other.standing.isDisjoint(with: around)
    }

    func takesPlace(of used: UsedPath) -> Bool {
      if isNamed([used.path]) { return true }
      guard !standing.isEmpty else { return false }
      let identities = databaseNames(of: used.path).compactMap(FileIdentity.init(of:))
      if !standing.isDisjoint(with: identities) { return true }
      let folders = Set(used.folders().compactMap(FileIdentity.init(of:)))
      return !folders.isDisjoint(with: around)
    }

    /// Whether it would be something new in what is used, a folder with all that belongs to an export.
    func goesInto(bundle used: UsedPath) -> Bool {
      standing.isEmpty && Paths.isDirectory(used.path)
        && Paths.exists(Paths.join(used.path, BundleFiles.manifest))
        && FileIdentity(of: used.path).map(around.contains) == true
    }

    /// Whether it replaces a folder with something of what is used in it.
    func holds(_ used: UsedPath) -> Bool {
      replacesFolder
        && ([used.path, SourceFiles.realPath(of: used.path)] + used.folders()).contains { path in
          Paths.exists(path) && !standing.isDisjoint(with: FileIdentity.folders(around: path))
        }
    }

    /// Whether it would be a side file of what is used, should that be a database.
    func isNamed(asPartOf used: UsedPath) -> Bool {
      isNamed([used.path, SourceFiles.realPath(of: used.path)].flatMap(databaseNames))
    }

    private func isNamed(_ paths: [String]) -> Bool {
      // Of thousands of stores most are called otherwise, and their folders need no look.
      let name = Paths.fileName(of: path)
      return paths.contains { used in
        hasSameBytes(Paths.fileName(of: used), name) && place != nil && Place(used) == place
      }
    }
  }

  /// A name in a folder, whether or not a file stands there.
  private struct Place: Hashable {
    let folder: FileIdentity
    let name: String

    init?(_ path: String) {
      guard let folder = FileIdentity(of: Paths.folder(of: path)) else { return nil }
      self.folder = folder
      name = Paths.fileName(of: path)
    }
  }
}

/// The names of a database and of its side files.
private func databaseNames(of path: String) -> [String] {
  ["", "-wal", "-journal", "-shm"].map { path + $0 }
}

extension Session {
  /// What the options of the run make.
  var outputs: RunOutputs { RunOutputs(arguments) }

  /// The options that name a file to read which cannot come through a pipe.
  private static let inputs: Set = ["template", "corrected", "model"]

  /// Throws where a file that an option names cannot be what it shall be, before anything is
  /// opened.
  func checkFiles() throws(StoreError) {
    for (option, path) in arguments.paths {
      try option.output.isEmpty ? checkPipe(option, path) : checkStream(option, path)
      guard option.output.isSuperset(of: .database) else { continue }
      let isMade = !option.output.isSuperset(of: .journal) || !Paths.exists(path)
      try storeErrors { () throws(SQLiteError) in try EnginePath.check(path, isMade: isMade) }
    }
    try checkModel()
    try check(outputs)
    // That an output would take the place of a store matters more than what it is called.
    if !arguments.describes(option: "files-from") { try checkNames() }
  }

  /// Throws where the name of an output says another kind of file than the one that is made.
  private func checkNames() throws(StoreError) {
    for (option, path) in arguments.paths where !option.output.isEmpty {
      try NamedKind.check(path, of: option)
    }
  }

  /// Throws where a file to read that must have a name is `-`, which never is one.
  private func checkPipe(_ option: Option, _ path: String) throws(StoreError) {
    guard path == "-", Self.inputs.contains(option.name) else { return }
    throw StoreError(
      .usage, "--\(option.name) takes a file, and - is standard input",
      hint: "name a file, or write ./- for one of that name")
  }

  /// Throws where there is no model, which is not what is wrong with any of the stores.
  private func checkModel() throws(StoreError) {
    guard arguments.describes(option: "model"), let path = arguments.value("model")?.text,
      !Paths.exists(path)
    else { return }
    throw StoreError(
      .missing, path: path, "cannot open it: no such file or directory",
      hint: "check the spelling of the path")
  }

  /// Throws where outputs would take the place of each other, or of what the command line names.
  func check(_ outputs: RunOutputs) throws(StoreError) {
    try outputs.checkDistinct()
    for word in arguments.files.map(\.text) { try outputs.check(.place(word)) }
    for (option, path) in arguments.paths where option.output.isEmpty {
      try outputs.check(
        RunOutputs.UsedPath(path, "what --\(option.name) names", folders: { [$0] }))
    }
  }

  /// Throws where outputs would take the place of a store, or of what it lies in.
  func checkOutputs(against shelf: Shelf) throws(StoreError) {
    let outputs = outputs
    guard !outputs.isEmpty else { return }
    for place in shelf.places.map(\.path) { try outputs.check(.place(place)) }
    for store in shelf.stores {
      guard let path = store.pathOnDisk else { continue }
      try outputs.check(.store(path))
    }
    try checkNames()
  }

  /// Throws where an output that must be a file is `-`, which never is a file's name.
  private func checkStream(_ option: Option, _ path: String) throws(StoreError) {
    guard path == "-", option.output.isSuperset(of: .file), !option.output.contains(.stream)
    else { return }
    let isSeeded =
      option.name == "output" && arguments.path.leaf.name == SeedCommand.description.name
    throw StoreError(
      .usage, "--\(option.name) takes a file, and - is standard output",
      hint: isSeeded
        ? "write the store to a file; 'rehome export' writes to standard output"
        : "name a file, or write ./- for one of that name")
  }
}
