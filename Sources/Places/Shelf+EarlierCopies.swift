import Bytes
import Records

/// When a backup was made, as far as it tells.
struct BackupAge: Equatable {
  /// The moment, in seconds since the start of 2001.
  let date: Double?
  /// When its folder was put aside for a newer backup, as its name tells.
  let archived: String?

  /// Whether it is older than another one, by the moments where both are known, else by the names: the
  /// one that was not put aside is the last.
  func isOlder(than other: BackupAge) -> Bool {
    if let date, let late = other.date, date != late { return date < late }
    guard let archived else { return false }
    return other.archived.map { archived < $0 } ?? true
  }
}

/// What several backups of one device have of one store.
extension Shelf {
  /// Tells of each store of which a later backup of its device has another state.
  func tellOfEarlierCopies() throws(StoreError) {
    let pairs = earlierCopies()
    let hashes = try hashes(of: pairs)
    for (place, later) in pairs {
      if let hash = hashes[place], hash == hashes[later] ?? hash { continue }
      stores[place].findingOfCopy = Self.finding(ofCopyBefore: stores[later].name)
    }
  }

  /// The places of stores, each with that of the latest one from a later backup.
  private func earlierCopies() -> [(place: Int, later: Int)] {
    var copies: [ExactText: [Int]] = [:]
    for place in stores.indices {
      guard let file = stores[place].fileOnDevice else { continue }
      copies[ExactText(file), default: []].append(place)
    }
    return copies.values.filter { $0.count > 1 }.flatMap(earlierCopies).sorted {
      $0.place < $1.place
    }
  }

  private func earlierCopies(among places: [Int]) -> [(place: Int, later: Int)] {
    // A person can take one alone only if that is whole.
    let whole = places.filter { stores[$0].isFromWholeBackup }
    guard let first = whole.first else { return [] }
    let last = whole.dropFirst().reduce(first) { isOlder($0, than: $1) ? $1 : $0 }
    return places.filter { isOlder($0, than: last) }.map { ($0, last) }
  }

  private func isOlder(_ place: Int, than other: Int) -> Bool {
    guard let age = stores[place].backup?.age, let late = stores[other].backup?.age else {
      return false
    }
    return age.isOlder(than: late)
  }

  /// The hashes of the stores that may be the same as a later one, as far as they can be had.
  ///
  /// They are taken in the order of the shelf, so that each archive is unpacked once.
  private func hashes(of pairs: [(place: Int, later: Int)]) throws(StoreError) -> [Int: String] {
    var hashes: [Int: String] = [:]
    let alike = pairs.filter { stores[$0.place].bytes == stores[$0.later].bytes }
    for place in Set(alike.flatMap { [$0.place, $0.later] }).sorted() {
      try check()
      // What is wrong with a store is told when it is read.
      hashes[place] = try? open(stores[place]).hash()
    }
    return hashes
  }

  private static func finding(ofCopyBefore later: String) -> Finding {
    Finding(
      "earlier-copy-of-store", .warning,
      message: "a later backup of the same device has another state of this store: \(later)")
  }
}

extension ShelvedStore {
  /// The backup that it lies in, at whatever depth.
  fileprivate var backup: BackupContainer? {
    containers.lazy.compactMap { $0 as? BackupContainer }.last
  }

  /// Whether nothing is known to be wrong with it, nor with what it lies in.
  fileprivate var isFromWholeBackup: Bool {
    failure == nil && !isClosed && containers.allSatisfy { $0.finding == nil }
  }

  /// Which file of which device it is; nil where no backup tells.
  fileprivate var fileOnDevice: String? {
    guard let backup, let device = backup.device?.identifier,
      name.utf8.starts(with: (backup.name + "!").utf8)
    else { return nil }
    return device.lowercased() + "!"
      + String(Substring(name.utf8.dropFirst(backup.name.utf8.count + 1)))
  }
}
