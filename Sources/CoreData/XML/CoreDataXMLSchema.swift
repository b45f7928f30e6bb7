import XMLFormat

/// What a first reading of an XML store finds: its entities with everything their objects have.
struct CoreDataXMLSchema: Sendable, Equatable {
  /// What the store says about itself.
  let info: CoreDataXMLInfo
  /// The entities that have objects, in the order of their first ones.
  let entities: [CoreDataXMLEntity]
  /// Elements that mean nothing known.
  let unknownElementCount: Int

  /// Reads a store to its end.
  ///
  /// - Throws: `XMLError` when the document is damaged or not that of a store.
  init(reading store: consuming CoreDataXMLStore) throws(XMLError) {
    try self.init(reading: &store) { _ in }
  }

  /// Reads a store to its end and shows each object to `visit`.
  ///
  /// - Throws: `XMLError` when the document is damaged or not that of a store.
  init(
    reading store: inout CoreDataXMLStore,
    visiting visit: (CoreDataXMLObject) throws(XMLError) -> Void
  ) throws(XMLError) {
    var survey = CoreDataXMLSurvey()
    while try store.next() {
      survey.add(store.object)
      try visit(store.object)
    }
    info = store.info
    entities = survey.entities(names: store.names, hashedNames: store.info.entityHashes?.keys)
    unknownElementCount = survey.unknownElementCount + store.unknownElementCount
  }

  /// How many objects there are.
  var objectCount: Int { entities.reduce(0) { $0 + $1.count } }

  /// The entity with a name in upper case.
  func entity(type: String) -> CoreDataXMLEntity? { entities.first { $0.type == type } }
}

/// An entity as far as the objects of an XML store show it.
struct CoreDataXMLEntity: Sendable, Equatable {
  /// The name as objects have it, in upper case.
  let type: String
  /// The name with its true spelling, if the store's metadata has exactly one such name.
  let trueName: String?
  /// How many objects there are.
  let count: Int
  /// The attributes, in the order in which they first occur.
  let attributes: [CoreDataXMLAttribute]
  /// The relationships, in the order in which they first occur.
  let relationships: [CoreDataXMLRelationship]

  /// The name with its true spelling, as far as it is known.
  var name: String { trueName ?? type }
}

/// An attribute as far as the objects of an XML store show it.
struct CoreDataXMLAttribute: Sendable, Equatable {
  /// The name, in lower case as the framework writes it.
  let name: String
  /// How many values of each kind there are.
  let counts: [CoreDataXMLType: Int]

  /// How many objects have a value.
  var count: Int { counts.values.reduce(0, +) }

  /// The kind of all values; nil where they are of several kinds.
  var type: CoreDataXMLType? { counts.count == 1 ? counts.first?.key : nil }
}

/// A relationship as far as the objects of an XML store show it.
struct CoreDataXMLRelationship: Sendable, Equatable {
  /// The name, in lower case as the framework writes it.
  let name: String
  /// The bounds that occur, in most stores just one pair.
  let bounds: Set<CoreDataXMLBounds>
  /// The destinations that occur, in upper case.
  let destinations: Set<String>
  /// How many objects list it, with or without targets.
  let count: Int
  /// How many targets all objects have together.
  let targetCount: Int
  /// The most targets of one object.
  let largestTargetCount: Int

  /// Whether objects may have several targets, by what the store declares or by what they have.
  var isToMany: Bool { bounds.contains(where: \.isToMany) || largestTargetCount > 1 }
}
