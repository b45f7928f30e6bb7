import CommandLineKit
import Records

extension ReportJSON {
  init(count: Int) {
    self = .integer(Int64(count))
  }

  init(_ file: SourceFile) {
    self = [
      "name": .string(file.name), "bytes": ReportJSON(count: file.bytes),
      "sha256": .string(file.sha256),
    ]
  }

  /// A finding, with null where a place does not apply.
  init(_ finding: Finding) {
    let json: ReportJSON = [
      "code": .string(finding.code), "severity": .string(finding.severity.rawValue),
      "table": ReportJSON(finding.table), "itemId": ReportJSON(finding.itemID),
      "operation": finding.operation.map(ReportJSON.integer) ?? .null,
      "message": .string(finding.message),
    ]
    self = json.adding("count", ReportJSON(count: finding.count), if: finding.count > 1)
  }

  /// A list of findings, of which there may be one for each operation.
  init(_ findings: Findings) {
    self = .list(ReportList { findings.lazy.map { ReportJSON($0) } })
  }

  init(_ balance: TableBalance) {
    self = [
      "name": .string(balance.name), "read": ReportJSON(count: balance.read),
      "written": ReportJSON(count: balance.written),
      "rejected": ReportJSON(count: balance.rejected),
      "filtered": ReportJSON(count: balance.filtered),
      "rejectedCells": ReportJSON(count: balance.rejectedCells),
    ]
  }

  init(_ queue: Queue) {
    self.init(QueueCounts(queue))
  }

  init(_ queue: QueueCounts) {
    self = [
      "operations": ReportJSON(count: queue.operations),
      "inserts": ReportJSON(count: queue.count(of: .insert)),
      "updates": ReportJSON(count: queue.count(of: .update)),
      "deletes": ReportJSON(count: queue.count(of: .delete)),
      "errors": ReportJSON(count: queue.errors),
      "tokens": ReportJSON(count: queue.tokens),
    ]
  }
}

extension ReportJSON {
  /// An object model, with null where something is not known.
  init(_ model: ModelSummary) {
    self = ["entities": .array(model.entities.map { ReportJSON($0) })]
  }

  private init(_ entity: ModelSummary.Entity) {
    self = [
      "name": .string(entity.name), "parent": ReportJSON(entity.parent),
      "isAbstract": .boolean(entity.isAbstract),
      "attributes": .array(
        entity.attributes.map { attribute in
          [
            "name": .string(attribute.name), "type": .string(attribute.type),
            "isOptional": .boolean(attribute.isOptional),
          ]
        }),
      "relationships": .array(entity.relationships.map { ReportJSON($0) }),
    ]
  }

  private init(_ relationship: ModelSummary.Relationship) {
    self = [
      "name": .string(relationship.name), "destination": ReportJSON(relationship.destination),
      "isToMany": .boolean(relationship.isToMany),
      "isOrdered": .boolean(relationship.isOrdered),
      "inverse": ReportJSON(relationship.inverse),
    ]
  }
}
