import Bytes
import CommandLineKit
import Formats
import Places
import Records
import SQLite

/// Where stores are looked for, which every command that takes stores has in common.
enum PlaceOptions {
  /// Where the stores are.
  static let all: [Option] = [
    Option(
      "files-from", argument: .value(placeholder: "FILE", completion: .file),
      help: "take places from a file, one a line; - is standard input", group: "Places"),
    Option("null", letter: "0", help: "places of --files-from end with a NUL", group: "Places"),
    device,
  ]

  /// How a path tells the device.
  static let device = Option(
    "device", argument: .value(placeholder: "PATTERN"),
    help: "take the device's name from each store's path, as in 'shelf/{device}/**'; * stands "
      + "for anything within one part of it", group: "Places")

  /// What stores are, as an argument.
  static func positional(_ name: String = "STORE") -> Positional {
    Positional(
      name,
      help: "a store, with its -wal and -journal; or a folder, an archive or a device backup, of "
        + "which every store is taken",
      cardinality: .zeroOrMore, completion: .file)
  }
}

extension RunSettings {
  /// All stores in the places that the command line names; their copies go to `copies`, if given.
  ///
  /// - Throws: `StoreError` when none is named, or the list of them cannot be read.
  func openShelf(
    _ name: String = "STORE", copies: String? = nil
  ) throws(StoreError) -> Shelf {
    var places = arguments.positionals(name).map(\.text)
    if let list = arguments.value("files-from")?.text {
      places += try listedPlaces(list, endingWith: arguments.flag("null") ? 0 : 0x0A)
    }
    guard !places.isEmpty else {
      throw StoreError(
        .usage, "\(name) is missing",
        hint: "name a store, a folder, an archive or a backup; "
          + "'rehome \(arguments.path.leaf.name) --help' shows how")
    }
    return try Shelf(places, placeSettings(copies: copies))
  }

  /// The only store in a place, on the disk until the run ends.
  ///
  /// - Throws: `StoreError` when there are others or none, or it cannot be had.
  func onlyStore(in place: String) throws(StoreError) -> StoreInTurn {
    let shelf = try Shelf([place], placeSettings())
    try shelf.expectStores()
    guard let store = shelf.stores.first, shelf.stores.count == 1 else {
      let names = shelf.stores.prefix(5).map(\.name).joined(separator: ", ")
      let rest = shelf.stores.count > 5 ? ", …" : ""
      throw StoreError(
        .usage, path: place, "\(Quantity.count(shelf.stores.count)) stores are in it",
        hint: "name one of them: \(names)\(rest); 'rehome convert' makes one store of all")
    }
    let turn = StoreInTurn(store, of: shelf)
    heldStores.hold(turn)
    return turn
  }

  private func placeSettings(copies: String? = nil) throws(StoreError) -> PlaceSettings {
    // The limits are those of stores, none of which is read yet.
    var settings = PlaceSettings(
      temporaryFolder: copies ?? temporaryFolder,
      interruption: Interruption { SignalWatch.isInterrupted })
    if arguments.describes(option: "device"), let text = arguments.value("device")?.text {
      guard let pattern = DevicePattern(text) else {
        throw StoreError(
          .usage, "--device takes a path with {device} in it once",
          hint: "for example --device 'shelf/{device}/**'")
      }
      settings.devicePattern = pattern
    }
    return settings
  }

  private func listedPlaces(
    _ list: String, endingWith end: UInt8
  ) throws(StoreError) -> [String] {
    let bytes = try storeErrors { () throws(FileError) in
      try readFile(list == "-" ? "/dev/stdin" : list, limit: 256 << 20)
    }
    return bytes.split(separator: end).map { line in
      var line = line
      if end == 0x0A, line.last == 0x0D { line.removeLast() }
      return String(decoding: line, as: UTF8.self)
    }.filter { !$0.isEmpty }
  }
}
