import Bytes
import Synchronization
import Tables

/// Numbers for the tables of several sources, those of one name as one, in the order in which threads
/// come to ask.
final class TableNumbers: Sendable {
  private let numbers = Mutex<[ExactText: Int]>([:])

  /// The number of a table, the same for all that the engine takes for one.
  func number(ofTable name: String) -> Int {
    let key = ExactText(sqlName: name)
    return numbers.withLock { numbers in
      let number = numbers[key] ?? numbers.count
      numbers[key] = number
      return number
    }
  }
}
