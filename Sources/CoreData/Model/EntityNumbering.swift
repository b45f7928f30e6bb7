/// The number of each entity of a model, as the rows of a store carry it.
struct EntityNumbering: Sendable, Equatable {
  /// The numbers, by position of the entity in the model.
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
  /// A name in the store that is merely out of date gives way to the model's by number.
  /// `hashedNames` are the entities that the store's metadata has hashes for, if known.
  init(
    of model: ManagedObjectModel, rows: [PrimaryKeyRow], hashedNames: Set<String>? = nil
  ) {
    var match = EntityNumberMatch(
      model: model, predicted: Self.prediction(for: model), rows: rows)
    match.settle()
    match.compareParents()
    if let hashedNames { match.compare(hashedNames: hashedNames) }
    self.init(
      numbers: match.numbers, isRecorded: match.isSettled, differences: match.differences)
  }

  private init(numbers: [Int64], isRecorded: [Bool], differences: [SchemaDifference]) {
    self.numbers = numbers
    self.isRecorded = isRecorded
    self.differences = differences
    var indexes: [Int64: Int] = [:]
    for (index, number) in numbers.enumerated() where isRecorded[index] { indexes[number] = index }
    self.indexes = indexes
  }

  /// The position in the model of the entity that the store gives a number.
  func index(ofNumber number: Int64) -> Int? { indexes[number] }

  private static func prediction(for model: ManagedObjectModel) -> [Int64] {
    var numbers = [Int64](repeating: 0, count: model.entities.count)
    for (place, index) in model.forest.order.enumerated() { numbers[index] = Int64(place) + 1 }
    return numbers
  }
}
