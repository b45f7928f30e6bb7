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
    switch table.rows {
    case .objects(let objects, let columnsByName):
      for object in objects {
        appendObject(Int(object), columnsByName, to: &batch)
        batch.endRow(key: contents.key(ofObject: Int(object)))
        try batch.lendIfFull(to: body)
      }
    case .pairs(let pairs):
      var key: Int64 = 0
      try pairs.forEachRow { (pair) throws(StoreError) in
        key += 1
        appendPair(pair, to: &batch)
        batch.endRow(key: key)
        try batch.lendIfFull(to: body)
      }
    }
    try batch.lendRest(to: body)
  }

  private func appendObject(
    _ object: Int, _ columnsByName: [Int: Int], to batch: inout RecordBatch
  ) {
    contents.withValues(of: object) { found, bytes in
      var values = [XMLContents.Value?](repeating: nil, count: table.columns.count)
      for value in found {
        guard let column = columnsByName[value.name], values[column] == nil else { continue }
        values[column] = value
      }
      appendObject(object, values, bytes, to: &batch)
    }
  }

  private func appendObject(
    _ object: Int, _ values: [XMLContents.Value?], _ bytes: Span<UInt8>,
    to batch: inout RecordBatch
  ) {
    for (index, column) in table.columns.enumerated() {
      switch column.content {
      case .value(let form): append(values[index], bytes, form, column: index, to: &batch)
      case .reference(let relation):
        appendReference(relations.list[relation], of: object, column: index, to: &batch)
      case .referenceEntity(let relation):
        appendEntity(relations.list[relation].end(of: object), to: &batch)
      case .referencePosition(let relation):
        let position = relations.list[relation].positions.last(of: object)
        append(number: position.map { Int32(truncatingIfNeeded: $0) }, to: &batch)
      case .owner(let relation):
        let owner = relations.list[relation].owners?.last(to: object)?.owner
        append(owner.map(XMLEnd.init(object:)), column: index, to: &batch)
      case .ownerEntity(let relation):
        let owner = relations.list[relation].owners?.last(to: object)?.owner
        appendEntity(owner.map(XMLEnd.init(object:)), to: &batch)
      case .ownerPosition(let relation):
        let pair = relations.list[relation].owners?.last(to: object)
        append(number: pair?.position, to: &batch)
      case .pairOwner, .pairOwnerEntity, .pairTarget, .pairTargetEntity, .pairPosition,
        .pairOwnerPosition:
        batch.append(.null)
      }
    }
  }

  private func appendPair(_ row: XMLJoinRow, to batch: inout RecordBatch) {
    for (index, column) in table.columns.enumerated() {
      switch column.content {
      case .pairOwner: append(row.owner, column: index, to: &batch)
      case .pairOwnerEntity: appendEntity(row.owner, to: &batch)
      case .pairTarget: append(row.target, column: index, to: &batch)
      case .pairTargetEntity: appendEntity(row.target, to: &batch)
      case .pairPosition: append(number: row.position, to: &batch)
      case .pairOwnerPosition: append(number: row.ownerPosition, to: &batch)
      case .value, .reference, .referenceEntity, .referencePosition, .owner, .ownerEntity,
        .ownerPosition:
        batch.append(.null)
      }
    }
  }

  private func append(
    _ value: XMLContents.Value?, _ bytes: Span<UInt8>, _ form: XMLValueForm, column: Int,
    to batch: inout RecordBatch
  ) {
    guard let value else { return batch.append(.null) }
    let text = bytes.extracting(value.text)
    guard let failure = form.append(text, of: value.type, to: &batch) else { return }
    var raw: [UInt8] = []
    raw.append(text)
    batch.reject(column: column, code: failure, raw: .text(raw))
  }

  /// Several targets where there may be one only are rejected as they stand there.
  private func appendReference(
    _ relation: XMLRelation, of object: Int, column: Int, to batch: inout RecordBatch
  ) {
    guard let place = relation.overfull.last(of: object) else {
      return append(relation.end(of: object), column: column, to: &batch)
    }
    batch.reject(
      column: column, code: .valueOfWrongType, raw: .text(contents.text(ofLinkAt: place)))
  }

  /// A reference to nobody keeps its number, if it has one.
  private func append(_ end: XMLEnd?, column: Int, to batch: inout RecordBatch) {
    guard let end else { return batch.append(.null) }
    if let key = contents.key(of: end) {
      batch.append(.integer(key))
    } else if let identifier = end.identifierOfNobody {
      batch.reject(
        column: column, code: .valueOfWrongType,
        raw: .text(Array(contents.identifiers.text(identifier).utf8)))
    } else {
      batch.append(.null)
    }
  }

  private func appendEntity(_ end: XMLEnd?, to batch: inout RecordBatch) {
    guard let object = end?.object, let entity = entities.byType[contents.type(ofObject: object)]
    else { return batch.append(.null) }
    batch.appendText { arena in arena.append(utf8: tableNames[entity]) }
  }

  private func append(number: Int32?, to batch: inout RecordBatch) {
    batch.append(number.map { Cell.integer(Int64($0)) } ?? .null)
  }
}
