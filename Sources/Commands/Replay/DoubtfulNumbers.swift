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
    let meanings = NumberMeaning.allCases.map { meaning in
      let names = queue.operations.keeping { operation in
        operation.state.isPending && operation.kind != .delete
          && sdks[operation.source].numbers == meaning
      }.tableNames
      return (meaning, names)
    }
    let told = arguments.values("type").map(\.text)
    for table in catalogue.tables {
      let meanings = meanings.filter { $0.1.contains(ExactText(table.name)) }.map(\.0)
      guard !meanings.isEmpty else { continue }
      let numbers = table.columns.filter {
        [.integer, .real].contains($0.type) && $0.role == .value
      }
      for (column, range) in zip(numbers, try store.ranges(of: numbers, in: table)) {
        let name = "\(table.name).\(column.name)"
        guard let range, let type = column.type.likelier(for: range, meanings),
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
  /// What numbers of this type may be as well, by the smallest and the greatest of them and by what
  /// the SDKs of the store make numbers of.
  fileprivate func likelier(
    for range: ClosedRange<Double>, _ meanings: [NumberMeaning]
  ) -> LogicalType? {
    if self == .integer, range.lowerBound >= 0, range.upperBound <= 1 { return .boolean }
    // From 1990 to 2100.
    let times = 631_152_000.0...4_102_444_800
    return meanings.compactMap(\.numbersASecond).contains { unit in
      times.contains(range.lowerBound / unit) && times.contains(range.upperBound / unit)
    } ? .timestamp : nil
  }
}

extension NumberMeaning {
  /// By how much the number of a time grows in a second; nil where times are no numbers.
  fileprivate var numbersASecond: Double? {
    switch self {
    case .truthValues: nil
    case .seconds: 1
    case .milliseconds: 1000
    }
  }
}
