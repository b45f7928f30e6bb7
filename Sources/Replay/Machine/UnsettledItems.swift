import Records

/// The items of steps that ended without anything being settled, so that a later run begins with them
/// again.
///
/// Whatever else there is for such an item must not overtake them: the later run would put the older
/// change on top.
struct UnsettledItems: Sendable {
  /// The hashes of the first of them; of very many others only a filter is kept, which may hold back
  /// more than it must.
  private var hashes: Set<UInt64> = []
  private var others: HashFilter?
  private let capacity: Int

  static let mostHashes = 1 << 16

  /// No items yet, of a plan with so many steps.
  init(capacity: Int) { self.capacity = capacity }

  /// Whether there are none.
  var isEmpty: Bool { hashes.isEmpty }

  /// Adds an item by its hash.
  mutating func insert(_ hash: UInt64) {
    if hashes.count < Self.mostHashes {
      hashes.insert(hash)
    } else if !hashes.contains(hash) {
      if others == nil { others = HashFilter(capacity: capacity) }
      others?.add(hash)
    }
  }

  /// Whether an item may be among them; false is certain.
  func mayContain(_ hash: UInt64) -> Bool {
    hashes.contains(hash) || others?.mayContain(hash) ?? false
  }
}

extension StepResult {
  /// Whether a later run may do by itself what this one could not.
  ///
  /// A conflict and a refusal are what the server has to say about a change, and hold no other device
  /// back. A later run asks again, and may find the server of another mind then.
  var isUnsettled: Bool {
    switch outcome {
    case .applied, .alreadyApplied, .dropped, .conflict: false
    case .inDoubt: true
    case .pending: reason.map { $0.isTemporary || $0 == .withoutTarget } ?? false
    case .rejected: (status ?? 0) >= 500
    }
  }
}
