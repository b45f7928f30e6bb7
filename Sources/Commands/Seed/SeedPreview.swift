import Bytes
import CommandLineKit
import Exports
import Records
import Tables

/// What a seed would load: the tables of all inputs, with the types of their columns.
struct SeedPreview {
  let readers: [any StoreReader]
  /// How they fit the template of an app's store.
  var fit: AppFit?

  /// The tables for a program.
  var json: ReportJSON {
    let tables = readers.flatMap { reader in
      reader.catalogue.tables.enumerated().map { index, table -> ReportJSON in
        [
          "name": .string(table.name), "source": .string(reader.source.name),
          "columns": .array(
            table.columns.indices.map { place in
              let column = table.columns[place]
              return [
                "name": .string(column.name), "type": .string(column.type.rawValue),
                "role": .string(column.role.rawValue),
                "reason": ReportJSON(Self.reason(reader, table: index, column: place)),
              ]
            }),
        ]
      }
    }
    let sources = readers.map { reader in
      ReportJSON(reading: reader.source, ["name": .string(reader.source.name)])
    }
    let json: ReportJSON = [
      "tables": .array(tables), "sources": .array(sources),
      "findings": .array(readers.flatMap(\.findings).map(ReportJSON.init)),
    ]
    return json.adding("misfits", fit.map { .array($0.misfits.map(Self.json)) })
      .adding("leftOut", fit.map { .array(Self.leftOut($0).map(ReportJSON.string)) })
  }

  /// The tables for a person, one column a line.
  func text(_ console: Console) -> String {
    var list = TextTable(columns: [
      .init("Table"), .init("Column"), .init("Type"), .init("Role"), .init("From"),
      .init("Because"),
    ])
    for reader in readers {
      for (index, table) in reader.catalogue.tables.enumerated() {
        for (place, column) in table.columns.enumerated() {
          list.addRow([
            table.name, column.name, column.type.rawValue, column.role.rawValue,
            reader.source.name,
            Self.reason(reader, table: index, column: place) ?? "the export says so",
          ])
        }
      }
    }
    let told =
      readers.compactMap(\.source.readingLine)
      + readers.flatMap(\.findings).map {
        "\($0.severity.rawValue): \(escapedForTerminal($0.message))"
      } + (fit.map(Self.leftOut) ?? []).map { "left out: \(escapedForTerminal($0))" }
    return list.text(style: console.terminal.outputStyle) + "\n"
      + told.map { $0 + "\n" }.joined()
  }

  private static func json(_ misfit: AppFit.Misfit) -> ReportJSON {
    [
      "table": .string(misfit.table), "column": ReportJSON(misfit.column),
      "message": .string(misfit.message),
    ]
  }

  /// What is left out because the app knows nothing of it.
  private static func leftOut(_ fit: AppFit) -> [String] {
    fit.unknownTables.sorted().map(\.wrappedValue)
      + fit.unknownColumns.map { "\($0.table).\($0.column)" }
  }

  /// Why a column of a plain file has its type; nil for other inputs.
  private static func reason(_ reader: any StoreReader, table: Int, column: Int) -> String? {
    reader.plainFiles?.typeReason(ofColumn: column, inTable: table)
  }
}
