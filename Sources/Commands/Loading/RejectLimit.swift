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
  /// A percentage is one of all rows that were read.
  func check(
    _ balances: [TableBalance], _ files: RejectReport? = nil
  ) throws(StoreError) {
    let rejects = balances.reduce(0) { $0 + $1.rejected + $1.rejectedCells }
    let rows = balances.reduce(0) { $0 + $1.read }
    let allowed: Double
    switch bound {
    case .none: return
    case .count(let count): allowed = Double(count)
    case .percent(let percent): allowed = Double(rows) * percent / 100
    }
    guard Double(rejects) > allowed else { return }
    throw StoreError(
      .tooManyRejects,
      "\(Quantity.count(rejects, "value was", "values were")) rejected, "
        + "more than --max-rejects allows",
      hint: files?.lines.joined(separator: "; ")
        ?? "run without a limit and look at the table rehome_reject, or allow more")
  }
}
