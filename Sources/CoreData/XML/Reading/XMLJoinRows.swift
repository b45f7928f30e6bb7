/// A row of a table of pairs.
struct XMLJoinRow {
  let owner: XMLEnd
  let target: XMLEnd
  /// The target's place among its owner's targets.
  let position: Int32?
  /// The owner's place among its target's owners.
  var ownerPosition: Int32?
}

/// The rows of a table of pairs in key order, which are made owner by owner whenever they are asked
/// for: only what they are made of is kept.
struct XMLJoinRows {
  private let contents: XMLContents
  private let pairs: XMLPairs
  /// The pairs that may tell the same from the other side; those of the relationship itself where each
  /// pair is there once, with the smaller key first.
  private let turned: XMLTurnedPairs?
  private let isUndirected: Bool
  /// The pairs whose owner is nobody, in key order.
  private var strays: [(key: Int64, pair: XMLPair)] = []
  /// How many rows there are.
  private(set) var count: Int
  /// How many of them only the other side knows.
  private(set) var oneSidedCount = 0

  init(
    _ pairs: XMLPairs, _ other: XMLPairs?, isUndirected: Bool, _ contents: XMLContents
  ) {
    self.contents = contents
    self.pairs = pairs
    self.isUndirected = isUndirected
    turned = (isUndirected ? pairs : other).map(XMLTurnedPairs.init)
    count = pairs.count
    guard let turned else { return }
    strays = turned.dangling.map { (key: key(of: $0.target), pair: $0) }
    if isUndirected { strays.removeAll { $0.key >= contents.key(ofObject: $0.pair.owner) } }
    // Swift's sorting keeps the order of equal elements.
    strays.sort { $0.key < $1.key }
    var count = 0
    forEachRow { _ in count += 1 }
    self.count = count
    if !isUndirected { oneSidedCount = count - pairs.count }
  }

  /// Lends all rows in key order.
  func forEachRow<Failure: Error>(
    _ body: (XMLJoinRow) throws(Failure) -> Void
  ) throws(Failure) {
    var strays = strays[...]
    var last: Int32?
    for object in owners where object != last {
      last = object
      while let key = strays.first?.key, key < contents.key(ofObject: Int(object)) {
        for row in takeRows(of: &strays, key) { try body(row) }
      }
      let rows = isUndirected ? undirectedRows(of: Int(object)) : rows(of: Int(object))
      for row in sorted(rows) { try body(row) }
    }
    while let key = strays.first?.key {
      for row in takeRows(of: &strays, key) { try body(row) }
    }
  }

  /// The objects that may have rows, in key order and some of them twice.
  ///
  /// Many relationships may have few pairs each, so not all objects are gone through for one.
  private var owners: [Int32] {
    var owners: [Int32] = []
    func add(_ object: Int) {
      let object = Int32(truncatingIfNeeded: object)
      if owners.last != object { owners.append(object) }
    }
    for pair in pairs { add(pair.owner) }
    turned?.forEachPair { target, _, _ in add(target) }
    return owners.sorted {
      contents.key(ofObject: Int($0)) < contents.key(ofObject: Int($1))
    }
  }

  /// The rows of an object, with what only the other side knows behind the others.
  private func rows(of object: Int) -> [XMLJoinRow] {
    var rows = pairs.pairs(of: object).map(Self.row)
    guard let turned else { return rows }
    var places = Dictionary(
      rows.enumerated().map { (Ends($1), $0) }, uniquingKeysWith: { $1 })
    for pair in turned.pairs(to: object) {
      let row = XMLJoinRow(
        owner: XMLEnd(object: object), target: XMLEnd(object: pair.owner), position: nil,
        ownerPosition: pair.position)
      Self.add(row, to: &rows, &places)
    }
    return rows
  }

  /// The rows in which an object comes first as its key is the smaller one.
  ///
  /// Where both ends lead to each other, the first of the document tells it.
  private func undirectedRows(of object: Int) -> [XMLJoinRow] {
    let own = pairs.pairs(of: object)
    let back = turned?.pairs(to: object) ?? []
    let (targets, owners) = (Set(own.map(\.target)), Set(back.map(\.owner)))
    let key = contents.key(ofObject: object)
    var hasItself = false
    var rows: [XMLJoinRow] = []
    for pair in own where self.key(of: pair.target) >= key {
      if let target = pair.target.object {
        if target < object, owners.contains(target) { continue }
        if target == object, hasItself { continue }
        if target == object { hasItself = true }
      }
      rows.append(Self.row(pair))
    }
    for pair in back where key < contents.key(ofObject: pair.owner) {
      if object < pair.owner, targets.contains(XMLEnd(object: pair.owner)) { continue }
      rows.append(
        XMLJoinRow(
          owner: XMLEnd(object: object), target: XMLEnd(object: pair.owner), position: nil,
          ownerPosition: nil))
    }
    return rows
  }

  /// Takes the rows of those whose owners are nobody and have a key.
  private func takeRows(
    of strays: inout ArraySlice<(key: Int64, pair: XMLPair)>, _ key: Int64
  ) -> [XMLJoinRow] {
    let taken = strays.prefix { $0.key == key }
    strays = strays.dropFirst(taken.count)
    var rows: [XMLJoinRow] = []
    var places: [Ends: Int] = [:]
    for (_, pair) in taken {
      let row = XMLJoinRow(
        owner: pair.target, target: XMLEnd(object: pair.owner), position: nil,
        ownerPosition: isUndirected ? nil : pair.position)
      if isUndirected { rows.append(row) } else { Self.add(row, to: &rows, &places) }
    }
    return sorted(rows)
  }

  /// Adds what the other side knows, to the row that tells the same if there is one.
  private static func add(
    _ row: XMLJoinRow, to rows: inout [XMLJoinRow], _ places: inout [Ends: Int]
  ) {
    if let place = places[Ends(row)] {
      rows[place].ownerPosition = row.ownerPosition
    } else {
      places[Ends(row)] = rows.count
      rows.append(row)
    }
  }

  private static func row(_ pair: XMLPair) -> XMLJoinRow {
    XMLJoinRow(
      owner: XMLEnd(object: pair.owner), target: pair.target, position: pair.position,
      ownerPosition: nil)
  }

  /// Rows in the order of their targets' keys; those of equal keys stay in theirs.
  private func sorted(_ rows: [XMLJoinRow]) -> [XMLJoinRow] {
    // Swift's sorting keeps the order of equal elements.
    rows.sorted { key(of: $0.target) < key(of: $1.target) }
  }

  /// An identifier without a number has no key and comes last.
  private func key(of end: XMLEnd) -> Int64 { contents.key(of: end) ?? .max }

  /// The two ends of a row.
  private struct Ends: Hashable {
    let owner: XMLEnd
    let target: XMLEnd

    init(_ row: XMLJoinRow) { (owner, target) = (row.owner, row.target) }
  }
}
