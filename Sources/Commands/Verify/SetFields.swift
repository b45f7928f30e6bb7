import Bytes
import Formats
import Records
import SyncSDKs

/// The fields that sets of Parse change, by the places of their operations in the queue.
struct SetFields {
  /// The devices that send such sets.
  let sources: Set<Int32>
  /// The fields of sets, of which many change the same.
  private var fields: [Set<ExactText>] = []
  /// Where the fields of an operation are; below zero where its set is not known.
  private var numbers: [Int32] = []

  /// Looks at all sets in the queue of a store.
  init(of reader: any StoreReader, _ sources: Set<Int32>) throws(StoreError) {
    self.sources = sources
    var known: [Set<ExactText>: Int32] = [:]
    for operation in try reader.readQueue().afterReplay().operations {
      guard sources.contains(operation.source), let set = operation.changesOfParse else {
        numbers.append(-1)
        continue
      }
      let names = Set(set.members.map(\.key).filter { !$0.hasPrefix("__") }.map { ExactText($0) })
      let number = known[names] ?? Int32(truncatingIfNeeded: fields.count)
      if number == fields.count {
        known[names] = number
        fields.append(names)
      }
      numbers.append(number)
    }
  }

  /// What operations change together; nil where nobody knows what one of them does.
  func fields(ofOperationsAt places: [Int]) -> Set<ExactText>? {
    var all: Set<ExactText> = []
    for place in places {
      guard numbers[place] >= 0 else { return nil }
      all.formUnion(fields[Int(numbers[place])])
    }
    return all
  }
}
