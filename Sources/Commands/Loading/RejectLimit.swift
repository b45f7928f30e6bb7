import Bytes
import CommandLineKit
import Records

/// How many rejected values a run may have before nothing is published.
struct RejectLimit: Equatable {
  private enum Bound: Equatable {
    case none
    case count(Int)
    case percent(Double)
  }

  private let bound: Bound

  static let none = RejectLimit(.none)

  private init(_ bound: Bound) {
    self.bound = bound
  }

  /// Reads `--max-rejects N` or `--max-rejects P%`.
  init(_ arguments: ParsedArguments) throws(StoreError) {
    guard let text = arguments.value("max-rejects")?.text else {
      bound = .none
      return
    }
    if text.hasSuffix("%"), let percent = Double(text.dropLast()), (0...100).contains(percent) {
      bound = .percent(percent)
    } else if let count = Int(text), count >= 0 {
      bound = .count(count)
    } else {
      throw StoreError(
        .usage, "--max-rejects takes a number or a percentage, not \(text)",
        hint: "--max-rejects 10, or --max-rejects 1%")
    }
  }

  /// Throws when the tables together have more rejects than allowed.
  ///
  /// A percentage is one of all rows that were read, of which each counts once, however many of its
  /// values were rejected. `areKept` says whether a store keeps rejects.
  func check(
    _ balances: [TableBalance], _ files: RejectReport? = nil, areKept: Bool = true
  ) throws(StoreError) {
    let (rejectedRows, values) = balances.reduce((0, 0)) {
      ($0.0 + $1.rejected, $0.1 + $1.rejectedCells)
    }
    let rejects = rejectedRows + values
    switch bound {
    case .none: return
    case .count(let count): if rejects <= count { return }
    case .percent(let percent):
      let rows = balances.reduce(0) { $0 + $1.read }
      let misfits = balances.reduce(0) { $0 + $1.rowsWithRejectsOrRejected }
      // Most percentages are no exact numbers, and none is meant so exactly.
      if Double(misfits) * 100 <= Double(rows) * percent * (1 + 1e-12) { return }
    }
    let counts = [
      rejectedRows > 0 ? rejectedRows.counted("row", "rows") : nil,
      values > 0 ? values.counted("value", "values") : nil,
    ].compactMap(\.self)
    throw StoreError(
      .tooManyRejects,
      "\(counts.joined(separator: " and ")) \(rejects == 1 ? "was" : "were") rejected, "
        + "more than --max-rejects allows",
      hint: values > 0 ? files?.lines.joined(separator: "; ") ?? hint(areKept) : hint(areKept))
  }

  private func hint(_ areKept: Bool) -> String {
    areKept
      ? "run without a limit and look at the table rehome_reject, or allow more"
      : "run without a limit and look at the findings, or allow more"
  }
}
