/// The latest operation on each item while a queue is gone through: one that can be decoded, unless
/// there is none yet, and then the first.
///
/// Of a long queue the operations before are not looked at, which would be to read all of it in any
/// order. Two hashes of the item tell it instead: one finds an operation, the other is a mark on it.
/// That two of two million items agree in nearly all of these 95 bits is rarer than one run in 10^14.
struct LatestItems: ~Copyable {
  private let operations: OperationList
  private let joiningSources: Bool
  private let exactSources: Set<Int32>
  private let hashMask: UInt64
  private let hasMarks: Bool
  private let markSeed = UInt64.random(in: .min ... .max)
  private var places: HashPlaces
  /// The capitals of each id, where operations are not looked at unless these are not known; none as
  /// long as no id has any.
  private var capitals: [UInt32] = []
  /// Whether none of the operations may still be sent.
  let isEmpty: Bool

  init(
    _ operations: OperationList, _ joiningSources: Bool, _ exactSources: Set<Int32>,
    _ hashMask: UInt64
  ) {
    self.operations = operations
    self.joiningSources = joiningSources
    self.exactSources = exactSources
    self.hashMask = hashMask
    hasMarks = operations.isSpilled
    // Of a long queue that an earlier run has sent there may be few left, or none.
    let most = hasMarks ? operations.count { $0.state.isPending } : operations.count
    places = HashPlaces(capacity: most, below: operations.count, isWide: hasMarks)
    isEmpty = most == 0
  }

  /// The hash of the item; nil where an operation does not tell it.
  func hash(of operation: borrowing PendingOperation) -> UInt64? {
    hash(of: operation, seed: places.seed).map { $0 & hashMask }
  }

  /// The mark of the item; the same for all where operations are looked at.
  func mark(of operation: borrowing PendingOperation) -> Int32 {
    guard hasMarks, let hash = hash(of: operation, seed: markSeed) else { return 0 }
    return Int32(truncatingIfNeeded: hash &>> 33)
  }

  private func hash(of operation: borrowing PendingOperation, seed: UInt64) -> UInt64? {
    let source = joiningSources ? 0 : operation.source
    // What two sources differ in must not be what the names of two tables differ in.
    let own = (seed ^ UInt64(truncatingIfNeeded: source))
      .multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
    return operation.itemHash(
      inTableSeededBy: own.high ^ own.low,
      exactly: exactSources.contains(operation.source))
  }

  func latest(
    on operation: borrowing PendingOperation, _ hash: UInt64, isMarked: (Int) -> Bool
  ) -> Int? {
    places.first(of: hash) { place in
      guard !hasMarks else { return isMarked(place) }
      return operations.with(place) { other in
        (joiningSources || other.source == operation.source)
          && other.isAboutSameItem(
            as: operation, exactly: exactSources.contains(operation.source))
      }
    }
  }

  /// Notes how an operation spells the id of its item.
  mutating func noteSpelling(of operation: borrowing PendingOperation, at place: Int) {
    guard hasMarks, !exactSources.contains(operation.source) else { return }
    let own = operation.withItemID { capitalLetters(of: $0) } ?? 0
    if capitals.isEmpty, own != 0 {
      capitals = [UInt32](repeating: 0, count: operations.count)
    }
    if !capitals.isEmpty { capitals[place] = own }
  }

  /// Whether an operation spells the id otherwise than the one before it on the item.
  func isRespelled(
    _ operation: borrowing PendingOperation, at place: Int, after latest: Int
  ) -> Bool {
    if hasMarks {
      guard !capitals.isEmpty else { return false }
      guard capitals[place] == capitals[latest] else { return true }
      if capitals[place] != unknownCapitals { return false }
    }
    return !operations.with(latest) { $0.fields.isSame(.itemID, as: operation.fields) }
  }

  mutating func add(_ place: Int, _ hash: UInt64) { places.add(place, hash: hash) }

  mutating func replace(_ place: Int, _ hash: UInt64, with later: Int) {
    places.replace(place, hash: hash, with: later)
  }
}
