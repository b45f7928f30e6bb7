import CommandLineKit
import Readers
import Records

/// What a seed would load: the tables of all inputs, with the types of their columns.
struct SeedPreview {
  let readers: [any StoreReader]

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
    return [
      "tables": .array(tables), "sources": .array(sources),
      "findings": .array(readers.flatMap(\.findings).map(ReportJSON.init)),
    ]
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
      }
    return list.text(style: console.terminal.outputStyle) + "\n"
      + told.map { $0 + "\n" }.joined()
  }

  /// Why a column of a plain file has its type; nil for other inputs.
  private static func reason(_ reader: any StoreReader, table: Int, column: Int) -> String? {
    (reader as? PlainFileReader)?.typeReason(ofColumn: column, inTable: table)
  }
}
