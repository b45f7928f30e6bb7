import Bytes
import Canonical
import CommandLineKit
import Records
import SyncSDKs

/// The columns of which numbers are sent that may be truth values or times.
///
/// Their SDK declares those as numbers, and the column holds nothing else.
struct DoubtfulNumbers {
  private var columns: [(name: String, type: LogicalType)] = []

  /// Looks at the tables of a store whose rows a queue sends, but for the columns of which a person has
  /// told the type.
  init(
    in store: any OpenStore, _ queue: borrowing ReplayQueue, _ arguments: ParsedArguments
  ) throws(StoreError) {
    let (catalogue, sdks) = (queue.catalogue, queue.sdks)
    let names = queue.operations.keeping { operation in
      operation.state.isPending && operation.kind != .delete
        && sdks[operation.source].declaresNumbersOnly
    }.tableNames
    let told = arguments.values("type").map(\.text)
    for table in catalogue.tables where names.contains(ExactText(table.name)) {
      let numbers = table.columns.filter {
        [.integer, .real].contains($0.type) && $0.role == .value
      }
      for (column, range) in zip(numbers, try store.ranges(of: numbers, in: table)) {
        let name = "\(table.name).\(column.name)"
        guard let range, let type = column.type.likelier(for: range),
          !told.contains(where: { $0.hasPrefix(name + "=") })
        else { continue }
        columns.append((name, type))
      }
    }
  }

  /// What a person should know of them, and do; nil where there are none.
  var words: String? {
    guard !columns.isEmpty else { return nil }
    let options = columns.prefix(5).map { column in
      "--type " + quotedForShell("\(column.name)=\(column.type.rawValue)")
    }
    return
      "the store does not tell truth values and times from numbers, so what may be one is sent as "
      + "a number; to send what it stands for, convert with " + options.joined(separator: " ")
      + (columns.count > 5 ? " …" : "")
  }
}

extension LogicalType {
  /// What numbers of this type may be as well, by the smallest and the greatest of them.
  fileprivate func likelier(for range: ClosedRange<Double>) -> LogicalType? {
    // From 1990 to 2100, in milliseconds where they are whole, and in seconds.
    let times = 631_152_000.0...4_102_444_800
    switch self {
    case .integer where range.lowerBound >= 0 && range.upperBound <= 1: return .boolean
    case .integer
    where times.contains(range.lowerBound / 1000) && times.contains(range.upperBound / 1000):
      return .timestamp
    case .real where times.contains(range.lowerBound) && times.contains(range.upperBound):
      return .timestamp
    default: return nil
    }
  }
}
