import Records

extension FindingKind {
  /// An operation that names no table or no item.
  static let operationWithoutTarget = FindingKind(
    "operation-without-target", .error,
    title: "an operation that names no table or no item",
    meaning: "The operation does not say which item it is about. No SDK writes such a row.",
    causes: [
      "Another program wrote into the queue, or a migration lost the column."
    ],
    remedies: [
      "Look at the raw payload with 'rehome ops show'; if it names the item, repair it in a copy.",
      "Otherwise mark the operation as dropped.",
    ]
  ) { input, sink in
    for index in input.pending {
      let namesTable = input.isSo(.namesTable, index)
      guard !input.isCommand(index), !namesTable || !input.isSo(.namesItem, index) else {
        continue
      }
      sink.raise(at: index, "the operation names no \(namesTable ? "item" : "table")")
    }
  }
}
