/// A pattern for paths, in which `{device}` stands for the name of a device.
///
/// `*` stands for anything within one part of a path, `?` for one character of it, and `**` for any
/// number of parts.
package struct DevicePattern: Sendable, Equatable {
  /// The parts between slashes, and those between slashes and marks of containers.
  private let parts: [[Piece]]
  private let partsInArchives: [[Piece]]

  private enum Piece: Equatable {
    case text(Character)
    case one
    case any
    case device
    case parts
  }

  /// Reads a pattern; nil where `{device}` is not in it exactly once.
  package init?(_ text: String) {
    parts = Self.parts(of: text.split { $0 == "/" })
    partsInArchives = Self.parts(of: text.split { $0 == "/" || $0 == "!" })
    guard parts.joined().count(where: { $0 == .device }) == 1 else { return nil }
  }

  private static func parts(of texts: [Substring]) -> [[Piece]] {
    var parts: [[Piece]] = []
    for part in texts {
      guard part != "**" else {
        parts.append([.parts])
        continue
      }
      var pieces: [Piece] = []
      var rest = part
      while let first = rest.first {
        if rest.hasPrefix("{device}") {
          pieces.append(.device)
          rest = rest.dropFirst("{device}".count)
          continue
        }
        pieces.append(first == "*" ? .any : first == "?" ? .one : .text(first))
        rest = rest.dropFirst()
      }
      parts.append(pieces)
    }
    return parts
  }

  /// The device that a path names; nil where the path does not fit.
  ///
  /// A pattern may describe the end of a path only. In an archive a `!` ends the name of a container.
  func device(in path: String, isInArchive: Bool) -> String? {
    let names = path.split { $0 == "/" || isInArchive && $0 == "!" }.map(Array.init)
    let parts = isInArchive ? partsInArchives : parts
    for start in 0...names.count {
      var budget = 100_000
      if let found = match(parts[...], names[start...], &budget) { return found }
    }
    return nil
  }

  /// The device, or the empty text for a match in which it does not stand; nil for none.
  private func match(
    _ parts: ArraySlice<[Piece]>, _ names: ArraySlice<[Character]>, _ budget: inout Int
  ) -> String? {
    budget -= 1
    guard budget > 0 else { return nil }
    guard let part = parts.first else { return names.isEmpty ? "" : nil }
    if part == [.parts] {
      for start in names.startIndex...names.endIndex {
        if let found = match(parts.dropFirst(), names[start...], &budget) { return found }
      }
      return nil
    }
    guard let name = names.first, let here = match(part[...], name[...], &budget),
      let rest = match(parts.dropFirst(), names.dropFirst(), &budget)
    else { return nil }
    return here.isEmpty ? rest : here
  }

  private func match(
    _ pieces: ArraySlice<Piece>, _ name: ArraySlice<Character>, _ budget: inout Int
  ) -> String? {
    budget -= 1
    guard budget > 0 else { return nil }
    guard let piece = pieces.first else { return name.isEmpty ? "" : nil }
    switch piece {
    case .text(let character):
      return name.first == character ? match(pieces.dropFirst(), name.dropFirst(), &budget) : nil
    case .one:
      return name.isEmpty ? nil : match(pieces.dropFirst(), name.dropFirst(), &budget)
    case .any, .parts:
      for end in name.startIndex...name.endIndex {
        if let found = match(pieces.dropFirst(), name[end...], &budget) { return found }
      }
      return nil
    case .device:
      for end in (name.startIndex...name.endIndex).reversed() where end > name.startIndex {
        if match(pieces.dropFirst(), name[end...], &budget) != nil {
          return String(name[..<end])
        }
      }
      return nil
    }
  }
}

/// Tells devices by what is different in the paths of their stores, where nothing else tells them.
enum DeviceNames {
  /// The shortest part of each path, given as its parts, that tells all of them apart; nil where
  /// there is but one path, or two are the same.
  static func names(of parts: [[Substring]]) -> [String?] {
    guard parts.count > 1, let shortest = parts.map(\.count).min(), shortest > 0 else {
      return parts.map { _ in nil }
    }
    let shared = (0..<shortest).prefix { place in
      parts.allSatisfy { $0[place] == parts[0][place] }
    }.count
    // One part tells them apart, or a few that follow each other.
    for length in 1...max(1, min(shortest - shared, 4)) {
      for start in stride(from: shared, through: shortest - length, by: 1) {
        var seen: Set<[Substring]> = []
        let isDistinct = parts.allSatisfy {
          seen.insert(Array($0[start..<start + length])).inserted
        }
        if isDistinct { return parts.map { $0[start..<start + length].joined(separator: "/") } }
      }
    }
    // All that is behind what they share tells any apart.
    let rests = parts.map { $0.dropFirst(min(shared, shortest - 1)).joined(separator: "/") }
    return Set(rests).count == rests.count ? rests : rests.map { _ in nil }
  }
}
