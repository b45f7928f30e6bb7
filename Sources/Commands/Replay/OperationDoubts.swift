import Audit
import Records

/// The codes of findings by operation, for many operations with few codes.
struct OperationDoubts {
  /// Some of the operations with a code, in the order of the findings.
  private struct Layer {
    let code: String
    let operations: KeyLookup
  }

  private var layers: [Layer] = []

  /// Takes the codes of what was found about operations.
  init(_ findings: FindingList) {
    var start = 0
    while start < findings.count {
      let end = findings.end(ofKindAt: start)
      add((start..<end).compactMap(findings.sequence), findings.code(at: start))
      start = end
    }
  }

  /// Where several findings with one code are about an operation, each has its own layer.
  private mutating func add(_ operations: [Int64], _ code: String) {
    var rest = operations.sorted()
    while !rest.isEmpty {
      var repeated: [Int64] = []
      var last: Int64?
      rest.removeAll { operation in
        defer { last = operation }
        guard operation == last else { return false }
        repeated.append(operation)
        return true
      }
      layers.append(Layer(code: code, operations: KeyLookup(rest)))
      rest = repeated
    }
  }

  /// The codes of the findings about an operation.
  subscript(operation: Int64) -> [String] {
    layers.filter { $0.operations.contains(operation) }.map(\.code)
  }
}
