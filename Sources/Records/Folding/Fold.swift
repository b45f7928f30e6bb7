/// Folds the operations on each item into as few effects as the SDKs' collapse tables allow.
///
/// Only operations that may still be sent take part: completed and dropped ones are not pending.
/// Operations that no SDK would have queued behind each other, such as an insert after a delete,
/// stay effects of their own, in order, and are marked. An effect is put together when it is
/// asked for, so that a long queue does not need its memory twice.
package struct Fold: Sendable {
  /// Which operations are about the same item.
  package private(set) var chains: ItemChains
  /// What is asked of each operation again and again.
  package private(set) var traits: QueueTraits
  private var operations: OperationList
  private let habits: FoldHabits
  private var starts = PlaceList()
  /// Where there are operations that cannot be decoded, the way to those of each effect: from its start
  /// to the first of them, and from each of them to the next.
  private var undecoded: [Int32] = []

  /// Folds operations that come in push order; takes time in proportion to their number.
  ///
  /// What SDKs do otherwise than most is told by `habits`; the tables that operations name are looked
  /// up in a catalogue.
  package init(
    _ operations: OperationList, in catalogue: Catalogue? = nil, habits: FoldHabits = FoldHabits()
  ) {
    self.operations = operations
    self.habits = habits
    let chains = ItemChains(operations, exactSources: habits.exactSources)
    var traits = QueueTraits(operations, in: catalogue)
    traits.note(chains)
    (self.chains, self.traits) = (chains, traits)
    findStarts()
  }

  /// Lets go of the operations, which do not know their rows yet, until they do.
  package mutating func forgetOperations() {
    operations = OperationList()
    traits.forgetOperations()
  }

  /// Takes the same operations, which know their rows now and the versions of these.
  package mutating func takeTied(_ operations: OperationList) {
    self.operations = operations
    traits.takeTied(operations)
    guard chains.separateRows(of: operations) else { return }
    traits.note(chains)
    findStarts()
  }

  private mutating func findStarts() {
    starts = PlaceList()
    for place in operations.indices where isStart(place) { starts.append(place) }
    addUndecoded()
  }

  /// The effects, in the order of the first operation of each.
  package var effects: Effects { Effects(fold: self) }

  /// Where in the queue an effect begins.
  package func start(of effect: Int) -> Int { starts[effect] }

  /// The number of the source from which an effect's operations come.
  package func source(ofEffect effect: Int) -> Int32 { operations[start(of: effect)].source }

  /// The effects of a queue, each put together when it is asked for.
  package struct Effects: RandomAccessCollection, Sendable {
    fileprivate let fold: Fold

    /// Where the first effect is.
    package var startIndex: Int { 0 }
    /// How many effects there are.
    package var endIndex: Int { fold.starts.count }
    /// One effect.
    package subscript(position: Int) -> Effect { fold.effect(places(at: position)) }

    /// Which operations one effect takes its parts from.
    package func places(at position: Int) -> EffectPlaces {
      fold.places(from: fold.starts[position])
    }

    /// Which operations the effect takes its parts from that begins at a place in the queue.
    package func places(from start: Int) -> EffectPlaces { fold.places(from: start) }

    /// Where effects begin.
    package var starts: PlaceList { fold.starts }

    /// What is asked of each operation again and again.
    package var traits: QueueTraits { fold.traits }

    /// What is asked of one operation; much cheaper than a look at all of them.
    package func traits(ofOperation place: Int) -> OperationTraits { fold.traits.traits[place] }

    /// The effect to which these places lead.
    package func effect(_ places: EffectPlaces) -> Effect { fold.effect(places) }

    /// The payload that several operations come to; nil where that of one counts.
    package func joinedItem(_ places: EffectPlaces) -> [UInt8]? {
      guard let first = places.joinedFrom else { return nil }
      return fold.habits.join(
        ItemPayloads(of: fold.operations, fold.chains.next, from: first, through: places.last))
    }

    /// The effect that an operation is part of; nil where it is part of none.
    package func effect(ofOperation sequence: Int64) -> Effect? {
      places(ofOperation: sequence).map(effect)
    }

    /// Which operations that effect takes its parts from.
    package func places(ofOperation sequence: Int64) -> EffectPlaces? {
      var place = fold.operations.anyPlace(numbered: sequence)
      while let current = place, !fold.starts.contains(current) {
        place = fold.chains.previous[current]
      }
      return place.map(places(from:))
    }

    /// Whether there are operations on the item of an effect that cannot be decoded.
    package func areBesideUndecoded(_ places: EffectPlaces) -> Bool {
      !fold.undecoded.isEmpty && fold.undecoded[places.first] >= 0
    }

    /// Calls `body` with the `sequence` of each of them.
    package func forEachUndecoded(_ places: EffectPlaces, _ body: (Int64) -> Void) {
      guard !fold.undecoded.isEmpty else { return }
      var place = fold.undecoded[places.first]
      while place >= 0 {
        body(fold.operations.sequence(at: Int(place)))
        place = fold.undecoded[Int(place)]
      }
    }

    /// Whether an operation that cannot be decoded is on the item of some effect.
    package func hasEffect(besideUndecoded place: Int) -> Bool {
      fold.chains.neighbour(ofUndecoded: place) != nil
    }

    /// Whether it follows another effect on the item with which no SDK would have left it, or is one
    /// of several branches, none of which follows another.
    package func followsOddly(_ places: EffectPlaces) -> Bool {
      fold.chains.previous[places.first] != nil
        || fold.chains.next[places.first] != nil && fold.isBranch(places.first)
    }

    /// Whether some effects follow others on their items.
    package var haveSteps: Bool { fold.starts.contains { fold.chains.previous[$0] != nil } }

    /// Where the effect begins that follows another on the item; nil where none does, and among
    /// branches, of which none follows another.
    package func start(after places: EffectPlaces) -> Int? {
      fold.isBranch(places.first) ? nil : fold.chains.next[places.last]
    }

    /// Lends the operation at a place in the queue.
    func with<Result>(
      _ place: Int, _ body: (borrowing PendingOperation) -> Result
    ) -> Result {
      fold.operations.with(place, body)
    }

    /// Calls `body` with the `sequence` of each operation that it stands for, in push order.
    package func forEachSequence(_ places: EffectPlaces, _ body: (Int64) -> Void) {
      forEachPlace(places) { body(fold.operations.sequence(at: $0)) }
    }

    /// Calls `body` with the place of each operation that it stands for, in push order.
    package func forEachPlace(_ places: EffectPlaces, _ body: (Int) -> Void) {
      var place = places.first
      body(place)
      while place != places.last, let next = fold.chains.next[place] {
        place = next
        body(place)
      }
    }
  }

  /// Whether an effect begins here: an insert, whatever follows a delete, or the item's first.
  private func isStart(_ place: Int) -> Bool {
    let operation = traits.traits[place]
    guard operation.contains(.isPending), let kind = operation.kind else { return false }
    guard let before = chains.previous[place], !habits.keepsApart, !isBranch(place) else {
      return true
    }
    let isInsert = kind == .insert
    if isInsert, sendsChanges(place) { return false }
    return isInsert || (kind != .delete && traits.traits[before].contains(.deletes))
  }

  /// Whether an operation is one of branches beside each other, of which none takes in another.
  private func isBranch(_ place: Int) -> Bool { isOf(habits.branchSources, place) }

  private func sendsChanges(_ place: Int) -> Bool { isOf(habits.changeSources, place) }

  /// Whether an operation is of one of some sources, of which there are mostly none.
  private func isOf(_ sources: Set<Int32>, _ place: Int) -> Bool {
    !sources.isEmpty && sources.contains(operations[place].source)
  }

  /// Whether an effect is one of branches beside each other.
  package func isBranch(effect: Int) -> Bool { isBranch(start(of: effect)) }

  /// Whether an effect deletes a branch of an item, of which another branch stays.
  package func deletesBranchOnly(_ effect: Int) -> Bool {
    let start = start(of: effect)
    guard isBranch(start), traits.traits[start].contains(.deletes) else { return false }
    return [chains.previous, chains.next].contains { neighbours in
      var place = neighbours[start]
      // Where so many branches wait, no delete is that of the item.
      for _ in 0..<1000 {
        guard let current = place else { return false }
        if !traits.traits[current].contains(.deletes) { return true }
        place = neighbours[current]
      }
      return true
    }
  }

  private func places(from start: Int) -> EffectPlaces {
    var places = EffectPlaces(start, kind: traits.traits[start].kind ?? .update)
    var next = habits.keepsApart || isBranch(start) ? nil : chains.next[start]
    let sendsChanges = sendsChanges(start)
    let joins = next != nil && (sendsChanges || isOf(habits.joiningSources, start))
    while let place = next,
      places.fold(traits.traits[place], at: place, joins: joins, sendsChanges: sendsChanges)
    { next = chains.next[place] }
    if places.kind == .delete, isOf(habits.missingSources, start) { places.acceptsMissing = true }
    if places.version != nil, places.last != start, isOf(habits.numberSources, start) {
      places.version = placeOfGreatestVersion(places)
    }
    return places
  }

  private func placeOfGreatestVersion(_ places: EffectPlaces) -> Int? {
    var (found, greatest) = (places.version, Int64.min)
    effects.forEachPlace(places) { place in
      guard let version = operations[place].baseVersion.flatMap({ Int64($0) }), version > greatest
      else { return }
      (found, greatest) = (place, version)
    }
    return found
  }

  fileprivate func effect(_ places: EffectPlaces) -> Effect {
    var sequences = OperationSequences()
    effects.forEachSequence(places) { sequences.append($0) }
    var effect = Effect(places, of: operations, sequences: sequences)
    effect.isBesideUndecoded = effects.areBesideUndecoded(places)
    effect.followsOddly = effects.followsOddly(places)
    if let joined = effects.joinedItem(places) { effect.item = joined }
    return effect
  }

  /// Files what cannot be decoded under the effect before it, else the item's first.
  private mutating func addUndecoded() {
    undecoded = []
    guard !chains.undecoded.isEmpty else { return }
    // First what cannot be decoded has no way, nor has a start; of the others the start is known, so
    // that a long chain is walked only once.
    var ways = [Int32](repeating: -1, count: operations.count)
    for place in operations.indices where !starts.contains(place) {
      guard traits.traits[place].kind != nil, let before = chains.previous[place] else { continue }
      ways[place] = starts.contains(before) ? Int32(truncatingIfNeeded: before) : ways[before]
    }
    for place in operations.indices.reversed() where chains.undecoded.contains(place) {
      guard let neighbour = chains.neighbour(ofUndecoded: place) else { continue }
      let start = starts.contains(neighbour) ? neighbour : Int(ways[neighbour])
      (ways[place], ways[start]) = (ways[start], Int32(truncatingIfNeeded: place))
    }
    undecoded = ways
  }
}

extension OperationState {
  /// Whether the operation may still have to be sent.
  package var isPending: Bool {
    switch self {
    case .pending, .attempted, .failed: true
    case .completed, .dropped: false
    }
  }
}
