import Records
import SyncSDKs

/// What is true of the SDKs of operations, by the places of these in the queue.
///
/// The operations of a device mostly come one behind the other, so that few places tell of them all.
struct OperationSDKs: Sendable {
  private let traits: [SDKTraits]
  /// Where operations of another device than before begin, and where its SDK is among the traits.
  private var starts: [Int] = []
  private var places: [Int32] = []

  /// Looks at whose each operation is, which only a store of several asks for.
  init(of operations: OperationList, _ source: SourceDescription) {
    let sdks = source.sdks
    traits = sdks.traits
    guard source.isOfSeveral else { return }
    var last: Int32?
    operations.lendEach { place, operation in
      guard operation.source != last else { return }
      last = operation.source
      starts.append(place)
      places.append(Int32(clamping: sdks.place(ofSource: operation.source)))
    }
  }

  /// What is true of the SDK that wrote an operation.
  subscript(operation: Int) -> SDKTraits {
    guard !starts.isEmpty else { return traits[0] }
    return traits[Int(places[max(1, firstPlace(in: starts) { $0 > operation }) - 1])]
  }

  /// Those of all operations, each once.
  var all: [SDKTraits] {
    starts.isEmpty ? [traits[0]] : Set(places).sorted().map { traits[Int($0)] }
  }
}
