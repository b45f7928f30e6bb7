/// Tells devices by what is different in the paths of their stores, where nothing else tells them.
enum DeviceNames {
  /// The shortest part of each path that tells all of them apart; nil where there is but one path,
  /// or no part does.
  static func names(of paths: [String]) -> [String?] {
    guard paths.count > 1 else { return paths.map { _ in nil } }
    let parts = paths.map { $0.split { $0 == "/" || $0 == "!" } }
    let shortest = parts.map(\.count).min() ?? 0
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
    return paths.map { _ in nil }
  }
}
