import CommandLineKit
import Records

/// What a seed would load: the tables of all inputs, with the types of their columns.
struct SeedPreview {
  let readers: [any StoreReader]

  /// The tables for a program.
  var json: ReportJSON {
    let tables = readers.flatMap { reader in
      reader.catalogue.tables.map { table -> ReportJSON in
        [
          "name": .string(table.name), "source": .string(reader.source.name),
          "columns": .array(
            table.columns.map { column in
              [
                "name": .string(column.name), "type": .string(column.type.rawValue),
                "role": .string(column.role.rawValue),
              ]
            }),
        ]
      }
    }
    return ["tables": .array(tables)]
  }

  /// The tables for a person, one column a line.
  func text(_ console: Console) -> String {
    var list = TextTable(columns: [
      .init("Table"), .init("Column"), .init("Type"), .init("Role"), .init("From"),
    ])
    for reader in readers {
      for table in reader.catalogue.tables {
        for column in table.columns {
          list.addRow([
            table.name, column.name, column.type.rawValue, column.role.rawValue,
            reader.source.name,
          ])
        }
      }
    }
    return list.text(style: console.terminal.outputStyle) + "\n"
  }
}
