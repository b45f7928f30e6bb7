import Bytes
import CommandLineKit
import Exports
import Opening
import Places
import Records
import SQLite
import Tables

// How the stores of a command line are found and opened.

extension Session {
  /// Opens the only store of a place, whatever its layout, which then knows its names.
  ///
  /// - Throws: `StoreError` also when `--rows` or an option of CSV is for another file, where the store
  ///   `isAlone`, and where a part of it is missing, unless the command `tellsFindings`.
  func openStore(
    _ place: String, corrections: Corrections? = nil, isAlone: Bool = true,
    tellsFindings: Bool = false
  ) throws(StoreError) -> any StoreReader {
    let store = try onlyStore(in: place)
    if !tellsFindings { try store.checkWhole(self) }
    let reader = try store.openKeepingNames(self, corrections: corrections)
    if isAlone { try formatOptions.checkAllMet() }
    return reader
  }

  /// What the person says about tables and columns, with those that are not wanted and those that
  /// other options mention.
  func corrections(drops: [String] = [], mentions: [String] = []) -> Corrections {
    Corrections(
      types: arguments.values("type").map(\.text), names: arguments.values("rename").map(\.text),
      drops: drops, mentions: mentions)
  }

  /// Opens a store of ours, for which the options about legacy stores are not meant.
  func openCanonicalStore(_ path: String) throws(StoreError) -> any StoreReader {
    let opening = StoreOpening(temporaryFolder: temporaryFolder, interruption: interruption)
    let reader = try opening.reader(forStoreAt: path)
    guard reader.source.layout == .rehome else {
      throw StoreError(.notAStore, path: path, "it is no canonical store")
    }
    return reader
  }

  /// Opens an app's store that is to be filled; of the options only a model is meant for it.
  func openTemplate(_ path: String) throws(StoreError) -> any StoreReader {
    var opening = StoreOpening(temporaryFolder: temporaryFolder, interruption: interruption)
    opening.modelPath = arguments.value("model")?.text
    return try opening.reader(forStoreAt: path)
  }

  /// How the options want a store to be opened, but for corrections.
  func opening(for path: String) throws(StoreError) -> StoreOpening {
    var opening = StoreOpening(temporaryFolder: temporaryFolder, interruption: interruption)
    opening.formatOptions = formatOptions
    opening.givenPath = path
    opening.plain = try plainOptions(for: path)
    opening.modelPath = arguments.value("model")?.text
    opening.modelIsAnothers = mayMeanModelOfAnother(than: path)
    opening.decodesTransformables = arguments.flag("decode-transformables")
    opening.salvages = arguments.flag("salvage")
    return opening
  }

  /// Whether a model can be meant for another store than the one at a path: for one of several that
  /// are named, of a folder or a container, or for a template.
  private func mayMeanModelOfAnother(than path: String) -> Bool {
    if !isOnlyInput(path) { return true }
    return arguments.describes(option: "template") && arguments.flag("template")
  }

  /// Whether a path is all that is named, and no store of a folder or a container.
  func isOnlyInput(_ path: String) -> Bool {
    arguments.files.count == 1 && arguments.files[0].text == path
  }

  /// Opens a store that lies on the disk or comes through a pipe.
  func openFile(
    _ path: String, named name: String, corrections: Corrections? = nil
  ) throws(StoreError) -> any StoreReader {
    var opening = try opening(for: path)
    opening.corrections = corrections ?? self.corrections()
    budget.beginStore()
    let reader = try opening.reader(forStoreAt: try file(for: path))
    sayOpened(reader, path, named: name)
    return reader
  }

  /// Says what is being read, to a person who wants to know.
  func sayOpened(_ reader: any StoreReader, _ path: String, named given: String? = nil) {
    guard isVerbose else { return }
    let name = given ?? path
    let generation = reader.source.generation.map { ", generation \($0)" } ?? ""
    say("reading \(escapedAsOneWord(name)): \(reader.source.layout.rawValue)\(generation)")
    if let line = reader.source.readingLine { say("  \(line)") }
    let end = reader.plainFiles == nil ? ", on a private copy" : ""
    for file in reader.inputFiles.dropFirst() {
      // The file of a backup, or a copy, is called otherwise than the store.
      let shown = file.hasPrefix(path) ? name + file.dropFirst(path.count) : file
      say("  with \(escapedAsOneWord(Paths.fileName(of: shown)))\(end)")
    }
  }

  /// What the person says about plain files, as far as it holds for an input.
  func plainOptions(for path: String) throws(StoreError) -> PlainOptions {
    var options = try PlainOptions(arguments)
    options.areForSeveral = !isOnlyInput(path)
    options.isUnnamed = PipedInputs.isPipe(path)
    // Of several inputs only one without a name takes another.
    if !options.isUnnamed, arguments.files.count > 1 { options.tableName = nil }
    return options
  }

  /// Refuses a name for the table of one input where several have names of their own.
  func checkTableName() throws(StoreError) {
    let words = arguments.files.map(\.text)
    guard arguments.describes(option: "table-name"), arguments.flag("table-name"), words.count > 1,
      !words.contains(where: PipedInputs.isPipe)
    else { return }
    throw StoreError(
      .usage, "--table-name is for one input, and each of several has a name",
      hint: "rename a table: --rename "
        + quotedForShell(PlainOptions().name(ofFileAt: words[0]) + "=NAME"))
  }

  /// The file of an input; that of standard input or a pipe is a copy.
  func file(for path: String) throws(StoreError) -> String {
    var progress = makeProgress(.bytes)
    defer { progress.clear() }
    return try pipes.file(for: path, in: temporaryFolder) { bytes in
      progress.update(done: bytes, label: "reading \(path == "-" ? "standard input" : path)")
      return interruption.isRaised
    }
  }

  /// Refuses standard input and pipes where something is written into the input itself.
  func expectFile(_ path: String) throws(StoreError) {
    guard PipedInputs.isPipe(path) else { return }
    throw StoreError(
      .usage, path: path, "the store itself is written to, and a pipe has none",
      hint: "name the file")
  }

  func ownFile(of reader: any StoreReader, at path: String) throws(StoreError) -> String {
    let name = reader.source.givenPath ?? path
    if let file = reader.inputFiles.first, FileIdentity(of: file) == FileIdentity(of: name) {
      return name
    }
    throw StoreError(
      .usage, path: path, "the store itself is written to, and this is what it lies in",
      hint: "take the store out, and name its file")
  }

  /// Refuses to write into a store of which `--salvage` reads what is left.
  func expectUndamaged(_ reader: any StoreReader, at path: String) throws(StoreError) {
    guard reader.isSalvaged else { return }
    throw StoreError(
      .damaged, path: path, "the store is damaged, and nothing is written into it",
      hint: "make a new one of what is left with 'rehome convert --salvage', and use that")
  }
}

extension Session {
  /// All stores in the places that the command line names; their copies go to `copies`, if given.
  func openShelf(
    _ name: String = "STORE", copies: String? = nil
  ) throws(StoreError) -> Shelf {
    var places = arguments.positionals(name).map(\.text)
    let hint = "name the folder itself as a place, without --files-from"
    if let list = try arguments.file(of: "files-from", hint: hint) {
      places += try listedPlaces(list, endingWith: arguments.flag("zero") ? 0 : 0x0A)
    } else if arguments.flag("zero") {
      throw StoreError(
        .usage, "--zero is about the places of a list", hint: "name it: --files-from FILE")
    }
    guard !places.isEmpty else {
      if let list = arguments.value("files-from")?.text {
        throw StoreError(
          .missing, path: list == "-" ? "standard input" : list, "the list names no places",
          hint: "see what made it: nothing may have been found that it could name")
      }
      throw StoreError(
        .usage, "\(name) is missing",
        hint: "name a store, a folder, an archive or a backup; "
          + "'rehome \(arguments.path.leaf.name) --help' shows how")
    }
    return try shelf(of: places, copies: copies)
  }

  /// The stores in some places, none of which an output takes the place of.
  private func shelf(of places: [String], copies: String? = nil) throws(StoreError) -> Shelf {
    let shelf = try Shelf(places, placeSettings(copies: copies), file: file(for:))
    try checkOutputs(against: shelf)
    return shelf
  }

  /// The only store in a place, on the disk until the run ends.
  func onlyStore(in place: String) throws(StoreError) -> StoreInTurn {
    let shelf = try shelf(of: [place])
    try shelf.expectStores()
    let broken = shelf.stores.filter(\.isContainer)
    // What is broken is the error where no store of it is left.
    let stores =
      broken.count < shelf.stores.count ? shelf.stores.filter { !$0.isContainer } : broken
    guard let store = stores.first, stores.count == 1 || store.isContainer else {
      let names = stores.prefix(5).map(\.name).joined(separator: ", ")
      let rest = stores.count > 5 ? ", …" : ""
      throw StoreError(
        .usage, path: place, "\(stores.count.grouped) stores are in it",
        hint: "name one of them: \(names)\(rest); 'rehome convert' makes one store of all")
    }
    sayRemarks(of: shelf)
    if !store.isContainer { tellLosses(of: broken) }
    let turn = StoreInTurn(store, of: shelf)
    heldStores.hold(turn)
    return turn
  }

  /// Tells which containers are broken, so that others may have been in them than the store.
  private func tellLosses(of containers: [ShelvedStore]) {
    for container in containers {
      guard let failure = container.failure else { continue }
      console.report(failure.storeError(path: container.name))
      heldStores.noteLoss()
    }
  }

  private func placeSettings(copies: String? = nil) throws(StoreError) -> PlaceSettings {
    // The limits are those of stores, none of which is read yet.
    var places = PlaceSettings(
      temporaryFolder: copies ?? temporaryFolder,
      interruption: Interruption { SignalWatch.isInterrupted })
    places.salvages = arguments.flag("salvage")
    if arguments.describes(option: "device"), let text = arguments.value("device")?.text {
      guard let pattern = DevicePattern(text) else {
        throw StoreError(
          .usage, "--device takes a path with {device} in it once",
          hint: "for example --device 'shelf/{device}/**'")
      }
      places.devicePattern = pattern
    }
    return places
  }

  private func listedPlaces(
    _ list: String, endingWith end: UInt8
  ) throws(StoreError) -> [String] {
    var bytes = try storeErrors { () throws(FileError) in
      try readStream(list == "-" ? nil : list, limit: 256 << 20)
    }
    if end != 0 { try takeByteOrderMark(of: &bytes, list) }
    guard end == 0 || !bytes.contains(0) else {
      throw StoreError(
        .usage, path: list, "its places end with a NUL, and not with their lines",
        hint: "give -0, too")
    }
    return bytes.split(separator: end).map { line in
      var line = line
      if end == 0x0A, line.last == 0x0D { line.removeLast() }
      return String(decoding: line, as: UTF8.self)
    }.filter { !$0.isEmpty }
  }

  /// Takes the mark from a list of lines, which is part of no name.
  private func takeByteOrderMark(of bytes: inout [UInt8], _ list: String) throws(StoreError) {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
    guard !bytes.starts(with: [0xFF, 0xFE]), !bytes.starts(with: [0xFE, 0xFF]) else {
      throw StoreError(.usage, path: list, "the list is UTF-16", hint: "save it as UTF-8")
    }
  }
}
