import Bytes
import Records

/// Fills batches with the rows of one table of an XML store.
struct XMLRows {
  let contents: XMLContents
  let entities: XMLEntities
  let relations: XMLRelations
  let table: XMLTable
  /// What the tables of the entities are called.
  let tableNames: [String]

  /// Hands out all rows, a batch at a time.
  func forEachBatch(
    _ body: (inout RecordBatch) throws(StoreError) -> Void
  ) throws(StoreError) {
    var batch = RecordBatch(columnCount: table.columns.count)
    for row in 0..<table.rowCount {
      switch table.rows {
      case .objects(let objects, let columnsByName):
        appendObject(objects[row], columnsByName, to: &batch)
        batch.endRow(key: contents.objects[objects[row]].key)
      case .pairs(let pairs):
        appendPair(pairs[row], to: &batch)
        batch.endRow(key: Int64(row + 1))
      }
      try batch.lendIfFull(to: body)
    }
    try batch.lendRest(to: body)
  }

  private func appendObject(
    _ object: Int, _ columnsByName: [Int: Int], to batch: inout RecordBatch
  ) {
    var values = [XMLContents.Value?](repeating: nil, count: table.columns.count)
    for value in contents.values(of: object) {
      guard let column = columnsByName[value.name], values[column] == nil else { continue }
      values[column] = value
    }
    for (index, column) in table.columns.enumerated() {
      switch column.content {
      case .value(let form): append(values[index], form, column: index, to: &batch)
      case .reference(let relation):
        if let text = relations.list[relation].overfull[object] {
          batch.reject(column: index, code: .valueOfWrongType, raw: .text(text))
        } else {
          append(relations.list[relation].ends[object], column: index, to: &batch)
        }
      case .referenceEntity(let relation):
        appendEntity(relations.list[relation].ends[object], to: &batch)
      case .referencePosition(let relation):
        append(number: relations.list[relation].positions[object], to: &batch)
      case .owner(let relation):
        append(relations.list[relation].owners[object]?.owner, column: index, to: &batch)
      case .ownerEntity(let relation):
        appendEntity(relations.list[relation].owners[object]?.owner, to: &batch)
      case .ownerPosition(let relation):
        append(number: relations.list[relation].owners[object]?.position, to: &batch)
      case .pairOwner, .pairOwnerEntity, .pairTarget, .pairTargetEntity, .pairPosition,
        .pairOwnerPosition:
        batch.append(.null)
      }
    }
  }

  private func appendPair(_ row: XMLJoinRow, to batch: inout RecordBatch) {
    for (index, column) in table.columns.enumerated() {
      switch column.content {
      case .pairOwner: append(row.ends.owner, column: index, to: &batch)
      case .pairOwnerEntity: appendEntity(row.ends.owner, to: &batch)
      case .pairTarget: append(row.ends.target, column: index, to: &batch)
      case .pairTargetEntity: appendEntity(row.ends.target, to: &batch)
      case .pairPosition: append(number: row.position, to: &batch)
      case .pairOwnerPosition: append(number: row.ownerPosition, to: &batch)
      case .value, .reference, .referenceEntity, .referencePosition, .owner, .ownerEntity,
        .ownerPosition:
        batch.append(.null)
      }
    }
  }

  private func append(
    _ value: XMLContents.Value?, _ form: XMLValueForm, column: Int, to batch: inout RecordBatch
  ) {
    guard let value else { return batch.append(.null) }
    let failure = contents.withText(of: value) { text in
      form.append(text, of: value.type, to: &batch)
    }
    guard let failure else { return }
    let raw = contents.withText(of: value) { text in
      var bytes: [UInt8] = []
      bytes.append(text)
      return bytes
    }
    batch.reject(column: column, code: failure, raw: .text(raw))
  }

  /// A reference to nobody keeps its number, if it has one.
  private func append(_ end: XMLEnd?, column: Int, to batch: inout RecordBatch) {
    guard let end else { return batch.append(.null) }
    if let key = contents.key(of: end) {
      batch.append(.integer(key))
    } else if case .nobody(let number) = end {
      batch.reject(
        column: column, code: .valueOfWrongType,
        raw: .text(Array(contents.identifiers.text(number).utf8)))
    } else {
      batch.append(.null)
    }
  }

  private func appendEntity(_ end: XMLEnd?, to batch: inout RecordBatch) {
    guard let object = end?.object, let entity = entities.byType[contents.objects[object].type]
    else { return batch.append(.null) }
    batch.appendText { arena in arena.append(utf8: tableNames[entity]) }
  }

  private func append(number: Int64?, to batch: inout RecordBatch) {
    batch.append(number.map(Cell.integer) ?? .null)
  }
}
