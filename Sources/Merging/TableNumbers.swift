import Bytes
import Synchronization
import Tables

/// Numbers for the tables of several sources, those as one that may become one, in the order in which
/// threads come to ask.
final class TableNumbers: Sendable {
  private let numbers = Mutex<[ExactText: Int]>([:])

  /// The number of a table, the same for all whose names differ only in letter case.
  func number(ofTable name: String) -> Int {
    let key = ExactText(sqlName: name)
    return numbers.withLock { numbers in
      let number = numbers[key] ?? numbers.count
      numbers[key] = number
      return number
    }
  }
}
