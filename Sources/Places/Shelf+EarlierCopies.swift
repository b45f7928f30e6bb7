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
  func isOlder(than other: BackupAge, byDate: Bool) -> Bool {
    if byDate, let date, let late = other.date, date != late { return date < late }
    guard let archived else { return false }
    return other.archived.map { archived < $0 } ?? true
  }
}

/// What several backups of one device have of one file.
extension Shelf {
  /// Puts the store of an older backup before that of a later one, whatever their folders are called, and
  /// tells of it: what the device has changed last is then sent last.
  func orderCopies() {
    var copies: [ExactText: [Int]] = [:]
    for place in stores.indices {
      guard let file = stores[place].fileOnDevice else { continue }
      copies[ExactText(file), default: []].append(place)
    }
    for places in copies.values where places.count > 1 { order(places) }
  }

  private func order(_ places: [Int]) {
    let found = places.compactMap { place in
      stores[place].backup.map { (store: stores[place], age: $0.age) }
    }
    let byDate = found.allSatisfy { $0.age.date != nil }
    let sorted = found.enumerated().sorted { one, other in
      if one.element.age.isOlder(than: other.element.age, byDate: byDate) { return true }
      let isLater = other.element.age.isOlder(than: one.element.age, byDate: byDate)
      return !isLater && one.offset < other.offset
    }.map(\.element)
    guard let last = sorted.last else { return }
    for (place, copy) in zip(places, sorted) {
      stores[place] = copy.store
      guard copy.age.isOlder(than: last.age, byDate: byDate) else { continue }
      stores[place].findingOfCopy = Self.finding(ofCopyBefore: last.store.name)
    }
  }

  private static func finding(ofCopyBefore later: String) -> Finding {
    Finding(
      "earlier-copy-of-store", .warning,
      message: "a later backup of the same device has this store, too: \(later)")
  }
}

extension ShelvedStore {
  /// The backup that it lies in, at whatever depth.
  fileprivate var backup: BackupContainer? {
    containers.lazy.compactMap { $0 as? BackupContainer }.last
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
