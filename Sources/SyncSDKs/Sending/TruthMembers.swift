package import Bytes
import Formats
package import Records

extension DeviceSDKs {
  /// What the payloads of some devices show as truth values, by the names of tables: SQLite keeps them
  /// as whole numbers, which a service would refuse.
  package func truthMembers(
    in operations: OperationList, where holds: (SDKTraits) -> Bool
  ) -> [ExactText: Set<ExactText>] {
    members(in: operations, where: holds) { if case .boolean = $0 { true } else { false } }
  }

  /// What they show as lists and objects, by the names of tables: SQLite keeps the text of their JSON.
  package func nestedMembers(
    in operations: OperationList, where holds: (SDKTraits) -> Bool
  ) -> [ExactText: Set<ExactText>] {
    members(in: operations, where: holds, showing: \.isNested)
  }

  private func members(
    in operations: OperationList, where holds: (SDKTraits) -> Bool,
    showing isShown: (JSONValue) -> Bool
  ) -> [ExactText: Set<ExactText>] {
    var shown: [ExactText: Set<ExactText>] = [:]
    guard traits.contains(where: holds) else { return shown }
    for operation in operations where holds(self[operation.source]) {
      guard let table = operation.rowTable ?? operation.table,
        // What is no object is refused when it is to be sent.
        let item = operation.item.flatMap({ JSONObject(parsing: $0.span) })
      else { continue }
      for member in item.members where isShown(member.value) {
        shown[ExactText(table), default: []].insert(ExactText(folding: member.key))
      }
    }
    return shown
  }
}
