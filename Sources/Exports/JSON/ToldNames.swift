/// Names of members, each once: the first of them are told, and the others counted.
struct ToldNames: Sendable {
  private var first: [String] = []
  private var others: Set<String> = []

  private static let mostTold = 16
  private static let mostCounted = 1 << 10

  var isEmpty: Bool { first.isEmpty }

  /// All that are told, and how many are not.
  var text: String {
    let text = first.joined(separator: ", ")
    guard !others.isEmpty else { return text }
    let isAll = others.count < Self.mostCounted
    return text + " and \(isAll ? "" : "at least ")\(others.count) more"
  }

  mutating func insert(_ name: String) {
    if first.contains(name) { return }
    if first.count < Self.mostTold {
      first.append(name)
    } else if others.count < Self.mostCounted {
      others.insert(name)
    }
  }

  mutating func formUnion(_ more: ToldNames) {
    for name in more.first + more.others.sorted() { insert(name) }
  }
}
