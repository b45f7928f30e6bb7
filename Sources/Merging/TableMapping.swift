import Bytes
import Records

/// How the rows of one table of a source become rows of the united table.
struct TableMapping: Sendable {
  /// Where the cell of a united column comes from.
  private enum Origin: Sendable {
    /// The source has no such column.
    case nowhere
    case copy(Int)
    /// The cell in the spelling of a wider type.
    case widened(Int, from: LogicalType)
    /// A reference to rows of a table, or to those of the table that another cell names.
    case reference(Int, target: String?, entity: Int?)
    case entity(Int)
    /// The name of a table, where a reference to it is not empty.
    case entityOf(Int, name: String)
    /// The number of the only store that the source tells of.
    case onlySource

    /// The column of the source whose rejects belong here.
    var column: Int? {
      switch self {
      case .nowhere, .entityOf, .onlySource: nil
      case .copy(let place), .widened(let place, _), .entity(let place),
        .reference(let place, _, _):
        place
      }
    }
  }

  let table: Table
  private let columns: [Column]
  private var origins: [Origin]
  /// The united names of tables by those that references of the source know, where they differ.
  private let renamed: [ExactText: String]
  /// The united names of columns by those of the source.
  private var names: [ExactText: String] = [:]

  /// The way from `table` to `united`, whose columns `columns` shows; `surveyed` is what the table was
  /// when it was united with others.
  init(
    _ table: Table, surveyed: Table, to united: UnitedTable, columns: [Column],
    renamed: [ExactText: String]
  ) {
    self.table = table
    self.columns = columns
    self.renamed = renamed
    origins = columns.map { _ in .nowhere }
    if columns.last?.role == .source {
      origins[columns.count - 1] = table.sourcePlace.map(Origin.copy) ?? .onlySource
    }
    let ownTable = surveyed.withoutSource
    for (own, (column, ownName)) in zip(ownTable.columns, ownTable.ownNames).enumerated() {
      guard let place = united.place(of: column, ownName) else { continue }
      names[ExactText(column.name)] = columns[place].name
      switch UnitedColumn.Purpose(column) {
      case .reference:
        let entity = table.entityPlace(ofReferenceAt: own)
        origins[place] =
          column.target == nil && entity == nil
          ? unknownKey(own, knownAt: place, in: united)
          : .reference(own, target: column.target, entity: entity)
        if entity == nil, let target = column.target,
          let place = united.entityPlace(ofReferenceAt: place)
        {
          origins[place] = .entityOf(own, name: renamed[ExactText(target)] ?? target)
        }
      case .referenceEntity: origins[place] = .entity(own)
      case .value, .system, .binary:
        let (type, wide) = (table.columns[own].type, columns[place].type)
        let isSame =
          type == wide || type.cellKind == .text && wide.cellKind == .text && wide != .json
        origins[place] = isSame ? .copy(own) : .widened(own, from: type)
      }
    }
  }

  /// Where a reference comes from whose target the source does not know: it is that which all others
  /// have that know one.
  ///
  /// A number may stay as it is where nobody knows which rows it names.
  private func unknownKey(_ own: Int, knownAt place: Int, in united: UnitedTable) -> Origin {
    guard let target = columns[place].target else {
      return united.entityPlace(ofReferenceAt: place) == nil
        ? .copy(own) : .reference(own, target: nil, entity: nil)
    }
    // In a source that is united itself, such numbers are not those of its rows.
    guard table.sourcePlace == nil else { return .reference(own, target: nil, entity: nil) }
    let call = renamed.first { hasSameBytes($0.value, target) }?.key.wrappedValue
    return .reference(
      own, target: call ?? (renamed[ExactText(target)] == nil ? target : nil), entity: nil)
  }

  /// Where the source has the columns of the united table; nil for those that it lacks.
  var ownColumns: [Int?] { origins.map(\.column) }

  func name(ofColumn name: String) -> String { names[ExactText(name)] ?? name }

  func name(ofTable name: String) -> String { renamed[ExactText(name)] ?? name }

  /// Appends one row, without ending it; the bytes of all rows of its batch were appended from some
  /// place on.
  func append(
    row: Int, of batch: borrowing RecordBatch, rejects: ArraySlice<CellReject>, _ keys: SourceKeys,
    to united: inout RecordBatch, bytesFrom start: Int
  ) {
    guard !rejects.isEmpty else {
      for place in origins.indices {
        append(origins[place], at: place, row, of: batch, keys, to: &united, start)
      }
      return
    }
    let rejects = Dictionary(keepingFirst: rejects.map { ($0.column, $0) })
    for place in origins.indices {
      let origin = origins[place]
      if let reject = origin.column.flatMap({ rejects[$0] }) {
        united.reject(column: place, code: reject.code, raw: reject.raw)
      } else {
        append(origin, at: place, row, of: batch, keys, to: &united, start)
      }
    }
  }

  private func append(
    _ origin: Origin, at place: Int, _ row: Int, of batch: borrowing RecordBatch,
    _ keys: SourceKeys, to united: inout RecordBatch, _ start: Int
  ) {
    let first = row * batch.columnCount
    switch origin {
    case .nowhere: united.append(.null)
    case .onlySource: united.append(.integer(1))
    case .copy(let own): united.append(batch.cells[first + own], bytesFrom: start)
    case .widened(let own, let type):
      united.append(
        widened: batch.cells[first + own], from: type, to: columns[place].type, of: batch,
        column: place)
    case .reference(let own, let target, let entity):
      let cell = batch.cells[first + own]
      guard cell.kind == .integer else { return united.append(.null) }
      let name = entity.flatMap { batch.text(at: first + $0) } ?? target
      united.append(.integer(keys.new(cell.integer, inTable: name)))
    case .entity(let own):
      if !renamed.isEmpty, let name = batch.text(at: first + own),
        let new = renamed[ExactText(name)]
      {
        return united.append(text: new)
      }
      united.append(batch.cells[first + own], bytesFrom: start)
    case .entityOf(let own, let name):
      united.append(text: batch.cells[first + own].kind == .null ? nil : name)
    }
  }
}

extension RecordBatch {
  /// The text of a cell; nil where it has none.
  fileprivate func text(at place: Int) -> String? {
    guard cells[place].kind == .text else { return nil }
    return String(decoding: arena[cells[place].range], as: UTF8.self)
  }

  /// Appends a cell of another batch in the spelling of a wider type.
  fileprivate mutating func append(
    widened cell: Cell, from type: LogicalType, to wide: LogicalType,
    of other: borrowing RecordBatch, column: Int
  ) {
    switch (cell.kind, wide.cellKind) {
    case (.null, _), (.integer, .integer): append(cell)
    case (.real, .text) where cell.real.isNaN: append(.null)
    case (_, .text) where wide == .json:
      let bytes = other.arena
      appendText { $0.appendJSON(cell, type: type, arena: bytes.span) }
    case (.integer, .real):
      guard let number = Double(exactly: cell.integer) else {
        return reject(column: column, code: .valueOutOfRange, raw: .integer(cell.integer))
      }
      append(.real(number))
    default:
      let bytes = other.arena
      let spelled = wide == .decimal ? LogicalType.integer : type
      appendText { $0.appendPlain(cell, type: spelled, arena: bytes.span) }
    }
  }
}
