package import Bytes

extension OperationList {
  /// The tables that the operations name.
  package var tableNames: Set<ExactText> {
    var names: Set<ExactText> = []
    var last: PendingOperation?
    // Neighbours mostly name the same.
    for operation in self where last.map(operation.isForSameTable) != true {
      last = operation
      if let table = operation.table { names.insert(ExactText(table)) }
    }
    return names
  }
}
