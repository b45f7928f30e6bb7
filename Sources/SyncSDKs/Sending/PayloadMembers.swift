package import Bytes
import Formats
package import Records

/// What payloads show of the members of items, by the names of tables.
package struct PayloadMembers: Sendable {
  /// Names of members by those of tables.
  package typealias Names = [ExactText: Set<ExactText>]

  /// Those with truth values: SQLite keeps them as whole numbers, which a service would refuse.
  package let truths: Names
  /// Those with lists and objects: SQLite keeps the text of their JSON.
  package let nested: Names
}

extension DeviceSDKs {
  /// What the payloads of some devices show that SQLite does not.
  package func payloadMembers(
    in operations: OperationList, where holds: (SDKTraits) -> Bool
  ) -> PayloadMembers {
    var truths: PayloadMembers.Names = [:]
    var nested: PayloadMembers.Names = [:]
    forEachPayload(in: operations, where: holds) { table, item in
      for member in item.members {
        if case .boolean = member.value {
          truths[table, default: []].insert(ExactText(folding: member.key))
        } else if member.value.isNested {
          nested[table, default: []].insert(ExactText(folding: member.key))
        }
      }
    }
    return PayloadMembers(truths: truths, nested: nested)
  }

  /// The members that have a value in a payload of some devices, whose JSON tells what it is.
  package func toldMembers(
    in operations: OperationList, where holds: (SDKTraits) -> Bool
  ) -> PayloadMembers.Names {
    var told: PayloadMembers.Names = [:]
    forEachPayload(in: operations, where: holds) { table, item in
      for member in item.members {
        if case .null = member.value { continue }
        told[table, default: []].insert(ExactText(folding: member.key))
      }
    }
    return told
  }

  private func forEachPayload(
    in operations: OperationList, where holds: (SDKTraits) -> Bool,
    _ body: (_ table: ExactText, _ item: JSONObject) -> Void
  ) {
    guard traits.contains(where: holds) else { return }
    for operation in operations where holds(self[operation.source]) {
      guard let table = operation.rowTable ?? operation.table,
        // What is no object is refused when it is to be sent.
        let item = operation.item.flatMap({ JSONObject(parsing: $0.span) })
      else { continue }
      body(ExactText(table), item)
    }
  }
}
