import Bytes
import Records

/// A table of the catalogue together with where its rows are.
struct XMLTable {
  enum Rows {
    /// They are objects, in key order, with the column of each name of a value.
    case objects([Int32], columnsByName: [Int: Int])
    /// They are pairs of a relationship, in key order.
    case pairs(XMLJoinRows)
  }

  /// Where a cell comes from.
  enum Content {
    case value(XMLValueForm)
    /// From a relationship of the object, by its place among all.
    case reference(Int)
    case referenceEntity(Int)
    case referencePosition(Int)
    /// From a relationship that leads to the object.
    case owner(Int)
    case ownerEntity(Int)
    case ownerPosition(Int)
    case pairOwner
    case pairOwnerEntity
    case pairTarget
    case pairTargetEntity
    case pairPosition
    case pairOwnerPosition
  }

  /// A column and where its cells come from.
  struct PlannedColumn {
    var column: Column
    let content: Content

  }

  /// The table's name before it is claimed.
  let name: String
  /// The columns in their order.
  var columns: [PlannedColumn]
  let rows: Rows

  var rowCount: Int {
    switch rows {
    case .objects(let objects, _): objects.count
    case .pairs(let pairs): pairs.count
    }
  }
}

extension [XMLTable] {
  /// The catalogue, with every name made unique and clear of reserved ones.
  func catalogue(origin: NameOrigin) -> Catalogue {
    let names = CatalogueNames.tables(map(\.name))
    let claimed = Dictionary(keepingFirst: zip(self, names).map { (ExactText($0.name), $1) })
    return Catalogue(
      tables: zip(self, names).map { table, name in
        var columns = table.columns.map(\.column)
        columns.claimNames()
        for (place, column) in columns.enumerated() {
          columns[place].target = column.target.map { claimed[ExactText($0)] ?? $0 }
        }
        return Table(
          name: name, sourceName: table.name, sourceTable: table.name.uppercased(),
          columns: columns)
      }, nameOrigin: origin)
  }
}

/// Plans the columns for the values of an entity's objects.
struct XMLAttributeColumns {
  private let entity: XMLEntity
  private let attributes: [ModelAttribute]

  init(_ entity: XMLEntity, _ model: ManagedObjectModel?) {
    self.entity = entity
    guard let model, let index = entity.modelIndex else {
      attributes = []
      return
    }
    attributes = model.forest.lineage(of: index).flatMap { model.entities[$0].attributes }
      .filter { !$0.isTransient }
  }

  /// The columns in the order of the document, then those that only the model knows; and the
  /// column of each name, by the number that the name is known by.
  func plan(_ numbers: [String: Int]) -> ([XMLTable.PlannedColumn], [Int: Int]) {
    let known = Dictionary(keepingFirst: attributes.map { ($0.name.lowercased(), $0) })
    var columns: [XMLTable.PlannedColumn] = []
    var columnsByName: [Int: Int] = [:]
    var modelColumns: [String: Int] = [:]
    for (name, kinds) in surveyedKinds {
      guard let number = numbers[name] else { continue }
      if let attribute = known[name.lowercased()], let form = XMLValueForm(attribute) {
        // Names that differ only in case are one attribute of a model.
        let place = modelColumns[attribute.name] ?? columns.count
        columnsByName[number] = place
        guard place == columns.count else { continue }
        modelColumns[attribute.name] = place
        columns.append(column(attribute.name, form, attribute))
      } else {
        columnsByName[number] = columns.count
        columns.append(column(name, XMLValueForm(Self.type(kinds)), nil))
      }
    }
    for attribute in attributes where modelColumns[attribute.name] == nil {
      guard let form = XMLValueForm(attribute) else { continue }
      modelColumns[attribute.name] = columns.count
      columns.append(column(attribute.name, form, attribute))
    }
    return (columns, columnsByName)
  }

  /// The names of all values in the order of the document, with the kinds that occur.
  private var surveyedKinds: [(name: String, kinds: Set<CoreDataXMLType>)] {
    var found: [(name: String, kinds: Set<CoreDataXMLType>)] = []
    var places: [String: Int] = [:]
    for attribute in entity.surveyed.flatMap(\.attributes) {
      if let place = places[attribute.name] {
        found[place].kinds.formUnion(attribute.counts.keys)
      } else {
        places[attribute.name] = found.count
        found.append((attribute.name, Set(attribute.counts.keys)))
      }
    }
    return found
  }

  /// One kind of all values, as far as they mean the same.
  private static func type(_ kinds: Set<CoreDataXMLType>) -> CoreDataXMLType? {
    let types = Set(kinds.map(\.logicalType))
    return types.count == 1 && !kinds.contains(.unknown) ? kinds.first : nil
  }

  private func column(
    _ name: String, _ form: XMLValueForm, _ attribute: ModelAttribute?
  ) -> XMLTable.PlannedColumn {
    XMLTable.PlannedColumn(
      column: Column(
        name: name, sourceColumn: name.lowercased(), type: form.type,
        isNullable: attribute?.isOptional ?? true),
      content: .value(form))
  }
}
