import Formats
import Records
import SQLite
import Tables
import XMLFormat

/// What the metadata of a store says: the table `Z_METADATA`, or the head of an XML store.
struct CoreDataMetadata: Sendable, Equatable {
  /// The store's identifier, the host part of its objects' addresses.
  var identifier: String?
  /// The version of the framework that wrote the store last.
  var frameworkVersion: Int64?
  /// The 32-byte hash of each entity of the store's model; nil where the store has none.
  var entityHashes: [String: [UInt8]]?
  /// The keys that the app has added; their values may be secrets and stay where they are.
  var applicationKeys: [String] = []

  /// Whether there is a property list that cannot be read.
  var isUnreadable = false
  /// Whether there is not even a row for one.
  private(set) var isMissing = false

  init() {}

  /// Reads the one row of the table; whatever cannot be read stays unknown.
  init(reading connection: borrowing Connection) throws(SQLiteError) {
    var statement = try connection.prepare("SELECT Z_UUID, Z_PLIST FROM Z_METADATA LIMIT 1")
    guard try statement.step() else {
      isMissing = true
      return
    }
    identifier = statement.text(at: 0)
    // Scrubbed copies have NULL here; a list that cannot be read is worth no more than that.
    guard let bytes = statement.optionalBytes(at: 1) else { return }
    if let list = try? PropertyList(parsing: bytes, limits: .standard) {
      take(list)
    } else {
      isUnreadable = true
    }
  }

  mutating func take(_ list: XMLPropertyList) {
    for entry in list.entries ?? [] {
      take(entry.key, integer: entry.value.integer, hashes: entry.value.entityHashes)
    }
    applicationKeys.sort()
  }

  /// Takes those of a binary one, of which nothing else is looked at.
  private mutating func take(_ list: PropertyList) {
    guard case .dictionary(let entries) = list[list.root] else { return }
    for (key, value) in entries {
      guard case .string(let name) = list[key] else { continue }
      take(name, integer: list.integer(value), hashes: Self.hashes(list, value))
    }
    applicationKeys.sort()
  }

  private mutating func take(
    _ key: String, integer: @autoclosure () -> Int64?,
    hashes: @autoclosure () -> [String: [UInt8]]?
  ) {
    switch key {
    case "NSPersistenceFrameworkVersion": frameworkVersion = integer() ?? frameworkVersion
    case "NSStoreModelVersionHashes": entityHashes = hashes()
    default:
      // The values may be secrets and stay where they are.
      if !key.hasPrefix("NS"), !key.hasPrefix("_NS") { applicationKeys.append(key) }
    }
  }

  private static func hashes(
    _ list: PropertyList, _ id: PropertyList.ObjectID
  ) -> [String: [UInt8]]? {
    guard case .dictionary(let entries) = list[id] else { return nil }
    var hashes: [String: [UInt8]] = [:]
    for (key, value) in entries {
      if case .string(let name) = list[key], case .data(let bytes) = list[value] {
        hashes[name] = bytes
      }
    }
    return hashes
  }

  /// The version of Core Data that wrote a store, and the systems that it came with.
  struct FrameworkVersion: Sendable, Equatable {
    let number: Int64

    init(_ number: Int64) {
      self.number = number
    }

    /// The systems of stores of known origin with this version; neighbours are approximate.
    var system: String {
      let known = Self.systems.last { $0.first <= number }
      return known?.name ?? "older than iPhone OS 3"
    }

    private static let systems: [(first: Int64, name: String)] = [
      (230, "iPhone OS 3"), (241, "iPhone OS 3 or 4"), (386, "iOS 5"), (407, "OS X 10.8"),
      (419, "iOS 6"), (519, "iOS 8"), (637, "iOS 9, OS X 10.11"), (752, "iOS 10, macOS 10.12"),
      (847, "iOS 11, macOS 10.13"), (865, "iOS 12, macOS 10.14"), (973, "iOS 13, macOS 10.15"),
      (1044, "iOS 14, macOS 11"), (1132, "iOS 15, macOS 12"), (1239, "iOS 16, macOS 13"),
      (1333, "iOS 17, macOS 14"), (1414, "iOS 18, macOS 15"), (1509, "iOS 26, macOS 26"),
    ]
  }
}

extension CoreDataMetadata {
  /// The facts that describe the store to a person.
  var facts: [SourceDescription.Fact] {
    var facts: [SourceDescription.Fact] = []
    if let identifier { facts.append(.init("storeIdentifier", identifier)) }
    if let frameworkVersion {
      facts.append(.init("frameworkVersion", String(frameworkVersion)))
      facts.append(.init("system", FrameworkVersion(frameworkVersion).system))
    }
    if !applicationKeys.isEmpty {
      facts.append(.init("applicationMetadata", applicationKeys.joined(separator: ", ")))
    }
    return facts
  }
}

extension PropertyList {
  fileprivate func integer(_ id: ObjectID) -> Int64? {
    guard case .integer(let number) = self[id] else { return nil }
    return number
  }
}
