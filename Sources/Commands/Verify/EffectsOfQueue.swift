import Bytes
import Formats
import Records
import SyncSDKs
import Tables

/// The effects to which the operations of a store come, by the tables of its catalogue.
struct EffectsOfQueue {
  /// What is to be done with one item.
  struct Change {
    /// The place of the effect among all.
    fileprivate let place: Int
    let kind: OperationKind
    /// Whether an insert takes the place of an item that the server may have.
    let replaces: Bool
  }

  private let effects: Fold.Effects
  private let operations: OperationList
  /// The sources whose updates hold only what changed.
  private let changeSources: Set<Int32>
  /// What the sets of Parse change, which are in what the SDK stored; nil where no device has any.
  private let sets: SetFields?
  /// The places of the effects on each table, as the first of two numbers.
  private var places: [Int: PackedPairs] = [:]
  /// The effects on tables that the store does not have, by their names.
  private var placesOfMissing: [ExactText: PackedPairs] = [:]
  private let hasExactNames: Bool
  /// The sources whose items have no ids before a server has seen them.
  private let idlessSources: Set<Int32>

  init(of reader: any StoreReader) throws(StoreError) {
    let setSources = reader.source.sdks.numbers { $0.sendsSets }
    sets = setSources.isEmpty ? nil : try SetFields(of: reader, setSources)
    operations = try reader.readQueue(.withoutRaw).afterReplay().operations
    let habits = reader.source.foldHabits
    changeSources = habits.changeSources.union(
      reader.source.sdks.numbers(where: \.hasUpdatesOfChanges))
    idlessSources = Self.idlessSources(of: reader)
    effects =
      Fold(
        operations,
        habits: FoldHabits(
          exactSources: reader.source.exactSources, changeSources: habits.changeSources)
      ).effects
    let exact = reader.catalogue.places
    hasExactNames = reader.source.sdks.tellNameTwinsApart
    let folded = Dictionary(
      keepingFirst: reader.catalogue.tables.enumerated().map { (ExactText(sqlName: $1.name), $0) })
    for number in effects.indices {
      let effect = effects.places(at: number)
      let names = [operations[effect.first].table, operations[effect.rowTable].rowTable]
      let tables = names.compactMap { $0 }.compactMap {
        exact[ExactText($0)] ?? (hasExactNames ? nil : folded[ExactText(sqlName: $0)])
      }
      for table in Set(tables) {
        places[table, default: PackedPairs()].append(number, 0)
      }
      if tables.isEmpty, let name = operations[effect.first].table {
        placesOfMissing[key(name), default: PackedPairs()].append(number, 0)
      }
    }
  }

  private static func idlessSources(of reader: any StoreReader) -> Set<Int32> {
    reader.source.sdks.numbers { !$0.hasIDsFromTheStart }
  }

  /// Whether new items of a store are known by what its operations call them.
  static func nameItems(of reader: any StoreReader) -> Bool { !idlessSources(of: reader).isEmpty }

  var isEmpty: Bool { effects.isEmpty }

  /// Whether some updates hold only what changed.
  var isInParts: Bool { !changeSources.isEmpty || sets != nil }

  private func key(_ name: String) -> ExactText {
    hasExactNames ? ExactText(name) : ExactText(sqlName: name)
  }

  /// The places of the effects on items of one table, in order; one that the store does not have, as
  /// it has no rows, is known by its name.
  func places(onTableAt table: Int?, called name: String) -> PackedPairs {
    (table.map { places[$0] } ?? placesOfMissing[key(name)]) ?? PackedPairs()
  }

  /// What an effect does with its item.
  func change(at place: Int) -> Change {
    let effect = effects.places(at: place)
    return Change(place: place, kind: effect.kind, replaces: effect.replaces)
  }

  /// The item on which an effect is.
  func itemID(ofEffect place: Int) -> String? {
    operations[effects.places(at: place).first].itemID
  }

  /// What new items are called on their device, by their rows, where the server gives them ids.
  func localIDs(onTableAt table: Int) -> LocalIDs {
    var ids = LocalIDs()
    for (number, _) in places[table] ?? PackedPairs() {
      let effect = effects.places(at: number)
      guard effect.kind == .insert, idlessSources.contains(operations[effect.first].source),
        let key = operations[effect.row].rowKey
      else { continue }
      ids.add(operations[effect.first].itemID, ofRow: key)
    }
    ids.finish()
    return ids
  }

  /// The names of the fields that a change sets; nil where it sends the whole item.
  func fields(of change: Change) -> Set<ExactText>? {
    let effect = effects.places(at: change.place)
    guard change.kind == .update else { return nil }
    if let sets, sets.sources.contains(operations[effect.first].source) {
      var places: [Int] = []
      effects.forEachPlace(effect) { places.append($0) }
      return sets.fields(ofOperationsAt: places)
    }
    guard changeSources.contains(operations[effect.first].source) else { return nil }
    var fields: Set<ExactText> = []
    effects.forEachPlace(effect) { place in
      // What is no object is told of elsewhere, and sets nothing.
      guard let item = operations[place].item, let object = JSONObject(parsing: item.span)
      else { return }
      fields.formUnion(object.members.map { ExactText($0.key) })
    }
    return fields
  }
}
