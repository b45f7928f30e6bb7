import Bytes
import CommandLineKit

/// How one table of two stores differs.
struct TableDifference {
  /// One row that is not the same on both sides.
  struct Row {
    /// Its key, where rows are known by that.
    var key: Int64?
    /// The item's id, where rows are known by that and it has one.
    var id: String?
    /// How many rows of each side have the key or the id.
    var counts: Sides<Int>
    /// The cells that differ, where each has one.
    var cells: [Cell] = []
    /// The operations that explain the difference, as they wait to be sent.
    var explanation: String?

    fileprivate var isInLeft: Bool { counts.first > 0 }
    fileprivate var isInRight: Bool { counts.second > 0 }
  }

  /// One cell, as text on both sides; nil for NULL.
  struct Cell {
    var column: String
    var left: String?
    var right: String?
  }

  /// How many rows differ, those that are not shown among them.
  struct Totals {
    /// Rows without a counterpart.
    private(set) var only = Sides(0, 0)
    /// Rows that differ from their counterparts.
    private(set) var changed = 0
    /// Rows of either kind that operations explain; they do not count there.
    private(set) var explained = 0

    /// Items that are marked as deleted and that the other side does not have, which is the same.
    private(set) var gone = Sides(0, 0)

    /// Rows that nothing explains.
    var open: Int { only.first + only.second + changed }

    /// Takes the rows of one key.
    mutating func add(_ difference: DigestSpool.Difference, isExplained: Bool) {
      let counts = difference.counts
      for side in Side.allCases { gone[side] += difference.gone[side] }
      if isExplained {
        explained += max(counts.first, counts.second)
        return
      }
      let pairs = min(counts.first, counts.second)
      changed += pairs
      for side in Side.allCases { only[side] += counts[side] - pairs }
    }
  }

  /// Differences between the columns, a sentence each; rows are then not compared.
  var columns: [String] = []
  /// The first rows that differ.
  var rows: [Row] = []
  var totals = Totals()

  /// Whether rows were compared, so that the totals tell anything.
  private var hasRows: Bool { columns.isEmpty }

  var json: ReportJSON {
    let totals: ReportJSON = [
      "onlyLeft": ReportJSON(totals.only.first), "onlyRight": ReportJSON(totals.only.second),
      "changed": ReportJSON(totals.changed), "explained": ReportJSON(totals.explained),
    ]
    return [
      "columns": ReportJSON(columns), "rows": .array(rows.map(\.json)),
      "totals": hasRows ? totals : .null,
    ]
  }

  var lines: [String] {
    columns.map { "  " + escapedForTerminal($0) } + rows.flatMap(\.lines) + rest
  }

  /// What is not shown.
  private var rest: [String] {
    let shown = rows.reduce(0) { $0 + max($1.counts.first, $1.counts.second) }
    let all = totals.open + totals.explained
    guard all > shown else { return [] }
    return [
      "  … and \((all - shown).grouped) more: of \(all.counted("row", "rows")) that "
        + "differ, \(totals.only.first.grouped) are only in the first, "
        + "\(totals.only.second.grouped) only in the second, "
        + "\(totals.changed.grouped) not the same"
        + (totals.explained > 0
          ? ", \(totals.explained.grouped) explained by what waits" : "")
    ]
  }
}

extension TableDifference.Row {
  fileprivate var json: ReportJSON {
    let row: ReportJSON = [
      "_pk": key.map(ReportJSON.integer) ?? .null, "id": ReportJSON(id),
      "inLeft": .boolean(isInLeft), "inRight": .boolean(isInRight),
      "cells": .array(
        cells.map {
          [
            "column": .string($0.column), "left": ReportJSON($0.left),
            "right": ReportJSON($0.right),
          ]
        }),
    ]
    return
      row
      .adding("explainedBy", explanation.map { .string($0) })
      .adding(
        "counts", .array([ReportJSON(counts.first), ReportJSON(counts.second)]),
        if: max(counts.first, counts.second) > 1)
  }

  fileprivate var lines: [String] {
    let item = id.map { "item \(escapedForTerminal($0))" } ?? "item without id"
    let name = key.map { "row \($0)" } ?? item
    let reason = explanation.map { "; the waiting \($0) explains it" } ?? ""
    guard isInLeft, isInRight else {
      return ["  \(name): only in the \(isInLeft ? "first" : "second")\(reason)"]
    }
    guard counts.first == 1, counts.second == 1 else {
      return [
        "  \(name): \(counts.first.counted("time", "times")) in the first, "
          + "\(counts.second.counted("time", "times")) in the second, "
          + "and not the same\(reason)"
      ]
    }
    return cells.map { cell in
      "  \(name), \(escapedForTerminal(cell.column)): "
        + "\(Self.shown(cell.left)) is not \(Self.shown(cell.right))\(reason)"
    }
  }

  private static func shown(_ text: String?) -> String {
    text.map { "\"\(escapedForTerminal($0))\"" } ?? "NULL"
  }
}
