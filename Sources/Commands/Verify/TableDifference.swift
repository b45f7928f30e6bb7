import CommandLineKit

/// How one table of two stores differs.
struct TableDifference {
  /// One row that is not the same on both sides.
  struct Row {
    var key: Int64
    /// The item's id, where rows are known by that.
    var id: String?
    /// Whether each side has the row.
    var isInLeft: Bool
    var isInRight: Bool
    /// The cells that differ, where both have it.
    var cells: [Cell] = []
  }

  /// One cell, as text on both sides; nil for NULL.
  struct Cell {
    var column: String
    var left: String?
    var right: String?
  }

  /// Differences between the columns, a sentence each; rows are then not compared.
  var columns: [String] = []
  /// The first rows that differ.
  var rows: [Row] = []

  var json: ReportJSON {
    [
      "columns": ReportJSON(columns),
      "rows": .array(
        rows.map { row in
          [
            "_pk": row.id == nil ? .integer(row.key) : nil, "id": ReportJSON(row.id),
            "inLeft": .boolean(row.isInLeft),
            "inRight": .boolean(row.isInRight),
            "cells": .array(
              row.cells.map {
                [
                  "column": .string($0.column), "left": ReportJSON($0.left),
                  "right": ReportJSON($0.right),
                ]
              }),
          ]
        }),
    ]
  }

  /// A line for each difference.
  var lines: [String] {
    columns.map { "  " + escapedForTerminal($0) } + rows.flatMap(\.lines)
  }
}

extension TableDifference.Row {
  fileprivate var lines: [String] {
    let name = id.map { "item \(escapedForTerminal($0))" } ?? "row \(key)"
    guard isInLeft, isInRight else {
      return ["  \(name): only in the \(isInLeft ? "first" : "second")"]
    }
    return cells.map { cell in
      "  \(name), \(escapedForTerminal(cell.column)): "
        + "\(Self.shown(cell.left)) is not \(Self.shown(cell.right))"
    }
  }

  private static func shown(_ text: String?) -> String {
    text.map { "\"\(escapedForTerminal($0))\"" } ?? "NULL"
  }
}
