import Bytes
import Records

/// The members of what is listed in the report.
extension AuditJSON {
  static func add(
    _ operation: borrowing PendingOperation, _ rows: inout AttachedRows.Lookup,
    _ text: inout JSONText
  ) {
    let (kind, state) = (operation.kind?.rawValue, operation.state.rawValue)
    operation.withTexts { texts, packed in
      text.add("sequence", operation.sequence)
      text.addMembers(upTo: packed.room(forMembers: 4, texts.table, texts.itemID)) { room in
        room.add("table", texts.table, of: packed)
        room.add("itemId", texts.itemID, of: packed)
        room.add("kind", word: kind)
        room.add("state", word: state)
      }
      if let item = texts.item {
        text.add("item", json: packed.extracting(item))
      } else {
        addRow(
          operation.kind, operation.sequence, operation.rowKey, texts, of: packed, &rows, &text)
      }
      text.addMembers(upTo: packed.room(forMembers: 2, texts.baseVersion, texts.originalID)) {
        room in
        room.add("baseVersion", texts.baseVersion, of: packed)
        room.add("originalId", texts.originalID, of: packed)
      }
    }
  }

  /// Appends the stores that a store of several was made from.
  static func add(devices: [EarlierSource], _ text: inout JSONText) {
    text.open("[", "devices")
    for device in devices {
      text.open("{")
      text.add("number", device.number)
      text.add("name", device.source.name)
      text.add("path", device.source.path)
      if let name = device.source.device { text.add("device", name) }
      text.add("layout", device.source.layout.rawValue)
      text.add("generation", device.source.generation)
      text.close("}")
    }
    text.close("]")
  }

  /// Appends what replays have done, target by target, where there was any.
  static func add(_ deliveries: Deliveries, _ text: inout JSONText) {
    guard !deliveries.isEmpty else { return }
    let latest = deliveries.latestTargets
    text.open("[", "replays")
    for summary in deliveries.summaries {
      text.open("{")
      text.add("target", summary.target)
      text.add("isLatest", latest.contains { hasSameBytes($0, summary.target) })
      text.add("isRehearsal", summary.isRehearsal)
      text.add("at", summary.last?.text)
      text.open("{", "counts")
      for outcome in ReplayOutcome.allCases {
        if let count = summary.counts[outcome] { text.add(outcome.name, Int64(count)) }
      }
      text.close("}")
      text.close("}")
    }
    text.close("]")
  }

  /// Appends which device something is from, in a store of several, where that is known.
  static func add(source number: Int32, of devices: DeviceLabels, _ text: inout JSONText) {
    guard let device = devices[number] else { return }
    text.add("source", Int64(number))
    text.add("device", device)
  }

  /// Appends what became of an operation at each target, where the store was replayed.
  static func add(
    _ deliveries: Deliveries, of operation: borrowing PendingOperation, _ text: inout JSONText
  ) {
    guard !deliveries.isEmpty else { return }
    text.open("[", "replay")
    for delivery in deliveries[operation.sequence] {
      text.open("{")
      text.add("target", delivery.target)
      text.add("outcome", delivery.outcome.rawValue)
      text.add("at", delivery.time.text)
      text.add("status", delivery.status)
      text.add("detail", delivery.detail)
      text.close("}")
    }
    text.close("]")
  }

  static func add(
    _ effects: Fold.Effects, from start: Int, of operations: OperationList,
    _ rows: inout AttachedRows.Lookup, _ text: inout JSONText
  ) {
    let effect = effects.places(from: start)
    operations.with(effect.first) { first in
      first.withTexts { texts, packed in
        text.add("table", texts.table, of: packed)
        text.addMembers(upTo: packed.room(forMembers: 2, texts.itemID)) { room in
          room.add("itemId", texts.itemID, of: packed)
          room.add("kind", word: effect.kind.rawValue)
        }
        text.open("[", "sequences")
        effects.forEachSequence(effect) { text.add(nil, $0) }
        text.close("]")
        if let joined = effects.joinedItem(effect) {
          text.add("item", json: joined)
        } else if effects.traits(ofOperation: effect.payload).contains(.hasItem) {
          text.add("item", json: operations[effect.payload].item)
        } else if effect.row == effect.first, effect.rowTable == effect.first {
          // Most effects are those of one operation, whose texts are found already.
          addRow(effect.kind, first.sequence, first.rowKey, texts, of: packed, &rows, &text)
        } else {
          addRow(of: effect, operations, &rows, &text)
        }
        if effect.version == effect.first {
          text.add("baseVersion", texts.baseVersion, of: packed)
        } else {
          text.add("baseVersion", effect.version.flatMap { operations[$0].baseVersion })
        }
      }
    }
    text.addMembers(upTo: 2 * ByteRoom.memberSize) { room in
      room.add("acceptsMissing", effect.acceptsMissing)
      room.add("followsOddly", effects.followsOddly(effect))
    }
    text.open("[", "undecoded")
    effects.forEachUndecoded(effect) { text.add(nil, $0) }
    text.close("]")
  }

  /// Appends the row that an effect of several operations sends; null where there is none.
  private static func addRow(
    of effect: EffectPlaces, _ operations: OperationList,
    _ rows: inout AttachedRows.Lookup, _ text: inout JSONText
  ) {
    let row = operations[effect.row]
    operations[effect.rowTable].withTexts { texts, packed in
      addRow(effect.kind, row.sequence, row.rowKey, texts, of: packed, &rows, &text)
    }
  }

  /// Appends the row that an insert or update sends, that of its device where it has one for itself;
  /// null where there is none.
  static func addRow(
    _ kind: OperationKind?, _ sequence: Int64, _ key: Int64?, _ texts: OperationTexts,
    of packed: Span<UInt8>, _ rows: inout AttachedRows.Lookup, _ text: inout JSONText
  ) {
    guard kind == .insert || kind == .update else { return text.addNull("item") }
    // A person may have changed what a canonical store keeps of a device's row.
    if rows.withDevice(of: sequence, { text.add("item", json: $0) }) { return }
    guard let key, let table = texts.rowTable ?? texts.table,
      rows.with(
        key, ofTable: packed.extracting(table), { text.add("item", trusted: $0) })
    else { return text.addNull("item") }
  }

  static func add(
    _ error: OperationError, _ assessment: ErrorAssessment, _ differences: [FieldDifference],
    _ text: inout JSONText
  ) {
    text.add("table", error.table)
    text.add("itemId", error.itemID)
    text.add("kind", error.kind?.rawValue)
    text.add("status", error.status)
    // Readers keep the code as JSON text, or as the plain word that it is.
    if let code = error.code {
      text.add("code", json: code.utf8Span.span)
    } else {
      text.add("code", nil as String?)
    }
    text.add("message", error.message)
    text.add("item", json: error.item)
    text.add("serverItem", json: error.serverItem)
    text.add("operation", error.operation)
    text.add("originalId", error.originalID)
    text.add("cause", assessment.cause.rawValue)
    text.open("[", "differences")
    for difference in differences {
      text.open("{")
      text.add("field", difference.field)
      // What a copy lacks is not null.
      if let device = difference.device { text.add("device", device) }
      if let server = difference.server { text.add("server", server) }
      text.close("}")
    }
    text.close("]")
  }

  static func add(_ token: DeltaToken, _ text: inout JSONText) {
    text.add("table", token.table)
    text.add("query", token.query)
    text.add("updatedAt", token.updatedAt)
    text.add("raw", token.raw)
  }

  static func add(
    _ findings: inout FindingList.KeptFindings, _ place: Int, _ text: inout JSONText
  ) {
    switch findings.finding(at: place) {
    case .about(let operation, let code, let severity, let message):
      findings.withOperation(operation) { operation in
        operation.withTexts { texts, packed in
          text.add("code", code)
          let (told, sequence) = (message.utf8Span.span, operation.sequence)
          let size = packed.room(forMembers: 5, texts.table, texts.itemID)
          text.addMembers(upTo: size + jsonStringSize(of: told)) { room in
            room.add("severity", word: severity.rawValue)
            room.add("table", texts.table, of: packed)
            room.add("itemId", texts.itemID, of: packed)
            room.add("operation", sequence)
            room.add("message", 0..<told.count, of: told)
          }
        }
      }
    case .whole(let finding):
      text.add("code", finding.code)
      text.add("severity", finding.severity.rawValue)
      text.add("table", finding.table)
      text.add("itemId", finding.itemID)
      text.add("operation", finding.operation)
      text.add("message", finding.message)
      if finding.count > 1 { text.add("count", Int64(finding.count)) }
    }
  }
}

extension ReplayOutcome {
  /// Its word as the name of a member.
  fileprivate var name: StaticString {
    switch self {
    case .applied: "applied"
    case .alreadyApplied: "alreadyApplied"
    case .conflict: "conflict"
    case .rejected: "rejected"
    case .pending: "pending"
    case .inDoubt: "inDoubt"
    case .dropped: "dropped"
    }
  }
}
