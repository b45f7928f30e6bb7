import Bytes

/// The number of each entity of a model, as the rows of a store carry it.
struct EntityNumbering: Sendable, Equatable {
  /// The numbers, by position of the entity in the model; below zero, so that no row has it, where
  /// the store has given an entity's number to another.
  let numbers: [Int64]
  /// Whether the store lists the entity at all, by the same position.
  let isRecorded: [Bool]
  /// In what the store and the model do not agree.
  let differences: [SchemaDifference]
  private let indexes: [Int64: Int]

  /// Numbers the entities of a model by the rule alone: depth first, by name, from 1.
  init(predicting model: ManagedObjectModel) {
    self.init(
      numbers: Self.prediction(for: model),
      isRecorded: [Bool](repeating: true, count: model.entities.count), differences: [])
  }

  /// Numbers the entities of a model as a store does, and notes where the rule was not kept.
  ///
  /// A name in the store that is merely out of date is replaced by the model's, found by number.
  /// `hashedNames` are the entities that the store's metadata has hashes for, if known.
  init(
    of model: ManagedObjectModel, rows: [PrimaryKeyRow], hashedNames: Set<String>? = nil
  ) {
    var match = EntityNumbering.Match(
      model: model, predicted: Self.prediction(for: model), rows: rows)
    match.decide()
    match.compareParents()
    if let hashedNames { match.compare(hashedNames: hashedNames) }
    self.init(
      numbers: match.numbers, isRecorded: match.isDecided, differences: match.differences)
  }

  private init(numbers: [Int64], isRecorded: [Bool], differences: [SchemaDifference]) {
    self.numbers = numbers
    self.isRecorded = isRecorded
    self.differences = differences
    var indexes: [Int64: Int] = [:]
    for (index, number) in numbers.enumerated() where isRecorded[index] { indexes[number] = index }
    self.indexes = indexes
  }

  /// The positions in the model by number, with those behind all others that no row has.
  var order: [Int] {
    numbers.indices.sorted {
      UInt64(bitPattern: numbers[$0]) < UInt64(bitPattern: numbers[$1])
    }
  }

  /// The position in the model of the entity that the store gives a number.
  func index(ofNumber number: Int64) -> Int? { indexes[number] }

  private static func prediction(for model: ManagedObjectModel) -> [Int64] {
    var numbers = [Int64](repeating: 0, count: model.entities.count)
    for (place, index) in model.forest.order.enumerated() { numbers[index] = Int64(place) + 1 }
    return numbers
  }

  /// Brings the entities of a model together with the rows of `Z_PRIMARYKEY`.
  ///
  /// The surest evidence is used first, and whatever is not plain agreement is noted.
  struct Match {
    /// The numbers found so far; predictions where nothing is decided.
    private(set) var numbers: [Int64]
    /// Which entities have found their row.
    private(set) var isDecided: [Bool]
    /// Every disagreement met.
    private(set) var differences: [SchemaDifference] = []
    private let model: ManagedObjectModel
    private let predicted: [Int64]
    private let rows: [Int64: PrimaryKeyRow]
    private var openRows: [Int64: PrimaryKeyRow]

    /// Prepares a match; nothing is decided yet.
    init(model: ManagedObjectModel, predicted: [Int64], rows: [PrimaryKeyRow]) {
      self.model = model
      self.predicted = predicted
      let known = rows.filter { !$0.isSystem }.map { ($0.number, $0) }
      self.rows = Dictionary(keepingFirst: known)
      numbers = predicted
      isDecided = [Bool](repeating: false, count: predicted.count)
      openRows = self.rows
    }

    mutating func decide() {
      decideWhereBothAgree()
      decideByRenamingIdentifier()
      decideByName()
      decideByNumber()
      for index in numbers.indices where !isDecided[index] {
        differences.append(
          .entityNotRecorded(entity: model.entities[index].name, predicted: predicted[index]))
        // The store has given the number to another entity, whose rows would be this one's, too.
        if rows[predicted[index]] != nil { numbers[index] = -predicted[index] }
      }
      for row in openRows.values.sorted(by: { $0.number < $1.number }) {
        differences.append(.recordedEntityUnknown(number: row.number, name: row.name))
      }
    }

    /// Notes where the store records another parent than the model has.
    mutating func compareParents() {
      for index in numbers.indices where isDecided[index] {
        let parent = model.forest.parents[index].map { numbers[$0] } ?? 0
        guard let row = rows[numbers[index]], row.parent != parent else { continue }
        differences.append(
          .superentity(
            entity: model.entities[index].name, predicted: parent, recorded: row.parent))
      }
    }

    /// Notes which entities only the model or only the metadata has.
    mutating func compare(hashedNames: Set<String>) {
      for entity in model.entities where !hashedNames.contains(entity.name) {
        differences.append(.entityNotHashed(entity: entity.name))
      }
      for name in hashedNames.sorted() where model.index(of: name) == nil {
        differences.append(.hashedEntityUnknown(entity: name))
      }
    }

    private mutating func decideWhereBothAgree() {
      for index in numbers.indices where openRows[predicted[index]]?.name == name(of: index) {
        claim(predicted[index], for: index)
      }
    }

    /// A row with the name that an entity used to have is that entity's, whatever else has it now.
    private mutating func decideByRenamingIdentifier() {
      for index in open {
        guard let row = openRows[predicted[index]], let recorded = row.name,
          recorded == model.entities[index].renamingIdentifier
        else { continue }
        claimStale(row, for: index)
      }
    }

    private mutating func decideByName() {
      let byName = Dictionary(
        openRows.values.compactMap { row in row.name.map { ($0, row.number) } },
        uniquingKeysWith: { min($0, $1) })
      for index in open {
        guard let number = byName[name(of: index)] else { continue }
        differences.append(
          .entityNumber(
            entity: name(of: index), predicted: predicted[index], recorded: number))
        claim(number, for: index)
      }
    }

    private mutating func decideByNumber() {
      for index in open {
        guard let row = openRows[predicted[index]] else { continue }
        claimStale(row, for: index)
      }
    }

    private mutating func claimStale(_ row: PrimaryKeyRow, for index: Int) {
      differences.append(
        .staleEntityName(number: row.number, recorded: row.name, current: name(of: index)))
      claim(row.number, for: index)
    }

    private mutating func claim(_ number: Int64, for index: Int) {
      numbers[index] = number
      isDecided[index] = true
      openRows[number] = nil
    }

    private var open: [Int] { numbers.indices.filter { !isDecided[$0] } }

    private func name(of index: Int) -> String { model.entities[index].name }
  }
}

/// A row of `Z_PRIMARYKEY`: what a store says about one of its entities.
struct PrimaryKeyRow: Sendable, Equatable {
  var number: Int64
  /// The name, which a rename can have left behind the times.
  var name: String?
  /// The number of the parent, 0 for a root entity.
  var parent: Int64

  /// The last number a model can give; history and mirroring have theirs above.
  static let lastModelNumber: Int64 = 16_000

  /// Whether the system keeps the entity for itself.
  var isSystem: Bool { number > Self.lastModelNumber }
}
