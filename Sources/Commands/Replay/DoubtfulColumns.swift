import Bytes
import Canonical
import CommandLineKit
import Records
import SyncSDKs

/// The columns of which numbers are sent that may be truth values or times, and texts that may be
/// objects or lists.
///
/// Their SDK declares those as numbers and texts, and the column holds little else.
struct DoubtfulColumns {
  private var columns: [(name: String, type: LogicalType)] = []

  /// Looks at the tables of a store whose rows a queue sends to a service, but for the columns of which
  /// a person or the payloads of the queue have told the type.
  init(
    in store: any OpenStore, _ queue: borrowing ReplayQueue, for dialect: Dialect,
    _ arguments: ParsedArguments
  ) throws(StoreError) {
    // Rows are taken as they stand where no service takes them.
    guard dialect != .rows else { return }
    let (catalogue, sdks) = (queue.catalogue, queue.sdks)
    let meanings = NumberMeaning.allCases.map { meaning in
      (meaning, queue.operations.tablesSent(sdks) { $0.numbers == meaning })
    }
    // Of the others a model, where there is one, tells the types with the names, and texts are texts.
    let declared = queue.operations.tablesSent(sdks) { $0.numbers != nil && !$0.hasModels }
    let told = Set(
      arguments.values("type").map(\.text).map { correction in
        ExactText(String(correction[..<(correction.lastIndex(of: "=") ?? correction.endIndex)]))
      })
    let shown = sdks.toldMembers(in: queue.operations, where: \.hasPayloadsBesideRows)
    // The payloads of a device say nothing of the rows that another SDK sends as they stand.
    let unshown: Set<ExactText> =
      shown.isEmpty
      ? []
      : queue.operations.tablesSent(sdks) { $0.numbers != nil && !$0.hasPayloadsBesideRows }
    for table in catalogue.tables {
      let name = ExactText(table.name)
      let meanings = meanings.filter { $0.1.contains(name) }.map(\.0)
      guard !meanings.isEmpty else { continue }
      let known: Set<ExactText> = unshown.contains(name) ? [] : shown[name] ?? []
      let open = table.columns.filter { column in
        column.role == .value && (declared.contains(name) || column.hasNameOfColumn)
          && told.isDisjoint(with: Self.places(of: column, in: table))
          && !known.contains(ExactText(folding: column.sourceName))
      }
      var likelier = try Self.likelierNumbers(open, table, meanings, store)
      if declared.contains(name) {
        likelier.merge(try Self.likelyDocuments(open, table, store)) { $1 }
      }
      for column in open {
        guard let type = likelier[ExactText(column.name)] else { continue }
        columns.append(("\(table.name).\(column.name)", type))
      }
    }
  }

  /// What `--type` may call a column, which may have got its name at the same time.
  private static func places(of column: Column, in table: Table) -> [ExactText] {
    [table.name, table.sourceTable].flatMap { table in
      [column.name, column.sourceColumn].map { ExactText("\(table).\($0)") }
    }
  }

  /// What columns of numbers may hold instead, by what the SDKs of the store make numbers of.
  private static func likelierNumbers(
    _ columns: [Column], _ table: Table, _ meanings: [NumberMeaning], _ store: any OpenStore
  ) throws(StoreError) -> [ExactText: LogicalType] {
    let numbers = columns.filter { [.integer, .real].contains($0.type) }
    let counts = try store.numberCounts(
      of: numbers, in: table, timesASecond: meanings.compactMap(\.numbersASecond))
    return Dictionary(
      keepingFirst: zip(numbers, counts).compactMap { column, counts in
        counts.likelierType(than: column.type).map { (ExactText(column.name), $0) }
      })
  }

  /// The columns of texts that hold nothing but objects and lists.
  private static func likelyDocuments(
    _ columns: [Column], _ table: Table, _ store: any OpenStore
  ) throws(StoreError) -> [ExactText: LogicalType] {
    let texts = columns.filter { $0.type == .text }
    let documents = try store.columnsOfDocuments(among: texts, in: table)
    return Dictionary(keepingFirst: documents.map { (ExactText($0.name), .json) })
  }

  /// What a person should know of them, and do; nil where there are none.
  var words: String? {
    guard !columns.isEmpty else { return nil }
    let options = columns.prefix(5).map { column in
      "--type " + quotedForShell("\(column.name)=\(column.type.rawValue)")
    }
    let (texts, numbers) = (
      columns.contains { $0.type == .json }, columns.contains { $0.type != .json }
    )
    let doubts = [
      numbers ? "truth values and times from numbers" : nil, texts ? "objects from texts" : nil,
    ].compactMap(\.self).joined(separator: ", nor ")
    let kinds = [numbers ? "a number" : nil, texts ? "a text" : nil].compactMap(\.self)
      .joined(separator: " or ")
    return
      "the store does not tell \(doubts), so what may be one is sent as \(kinds); to send what it "
      + "stands for, convert with " + options.joined(separator: " ")
      + (columns.count > 5 ? " …" : "")
  }
}

extension OperationList {
  /// The tables of what waits and sends fields, as the SDKs send them of which something is true.
  fileprivate func tablesSent(
    _ sdks: DeviceSDKs, where holds: (SDKTraits) -> Bool
  ) -> Set<ExactText> {
    keeping { $0.state.isPending && $0.kind != .delete && holds(sdks[$0.source]) }.tableNames
  }
}

extension NumberCounts {
  /// What numbers of a type may be as well; nil where they look like nothing but numbers.
  fileprivate func likelierType(than type: LogicalType) -> LogicalType? {
    if type == .integer, count > 0, count == truths { return .boolean }
    // Times may be far away, as birthdays are, and a zero is none in some apps; another number in a
    // column of truth values says that the SDK took it for no such column.
    let others = count - times - zeros
    return times > others + zeros && others <= max(1, times / 10) ? .timestamp : nil
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
