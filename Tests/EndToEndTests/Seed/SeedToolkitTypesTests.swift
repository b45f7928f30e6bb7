import Foundation
import TestSupport
import Testing

/// Columns of a toolkit's app take what Entity Framework writes into them, whatever SQLite calls their
/// types, by Python's sqlite3.
@Suite(.enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
struct SeedToolkitTypesTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private var output: String { folder.path("app.db") }

  private func seed(_ value: String, _ type: String?, as declared: String) async throws -> Outcome {
    let template = folder.path("template.db")
    try? FileManager.default.removeItem(atPath: template)
    try Devices.execute(
      template,
      ToolkitTables.all + "CREATE TABLE Item (Id VARCHAR(36) NOT NULL PRIMARY KEY, N \(declared));")
    let input = try folder.write(#"[{"id":"a","n":\#(value)}]"#, to: "Item.json")
    return await rehome(
      ["seed", input, "--into", "toolkit", "--template", template, "--json", "-fo", output]
        + (type.map { ["--type", "Item.n=" + $0] } ?? []))
  }

  private func stored() throws -> String {
    try Devices.query(output, "SELECT typeof(N), N FROM Item")
  }

  @Test(arguments: [
    (#""007""#, "text", "VARCHAR(50)", "text|007"), (#""x""#, "text", "NVARCHAR(50)", "text|x"),
    (#""x""#, "text", "CHAR(1)", "text|x"), (#""1""#, "text", "CLOB", "text|1"),
    (#""1""#, "text", "", "text|1"), ("1", "integer", "", "integer|1"),
    ("1.5", "real", "", "real|1.5"),
    ("1", "integer", "INT", "integer|1"),
    ("9007199254740993", "integer", "BIGINT", "integer|9007199254740993"),
    ("true", "boolean", "BOOLEAN", "integer|1"), ("2", "integer", "NUMERIC", "integer|2"),
    ("2.5", "real", "NUMERIC", "real|2.5"), ("2.5", "real", "DOUBLE", "real|2.5"),
    (#""12.50""#, "decimal", "DECIMAL(18,2)", "real|12.5"),
    (#""9007199254740993""#, "decimal", "NUMERIC", "integer|9007199254740993"),
    (#""2024-05-01T10:20:30Z""#, "timestamp", "DATETIME", "text|2024-05-01 10:20:30+00:00"),
    (#""2024-05-01T00:00:00Z""#, "timestamp", "DATE", "text|2024-05-01 00:00:00+00:00"),
    (
      #""0d7c1f0e-5b1a-4f0e-9a51-3c0b6d5f9e01""#, "uuid", "GUID",
      "text|0D7C1F0E-5B1A-4F0E-9A51-3C0B6D5F9E01"
    ),
    (#""milk""#, "text", "NUMERIC", "text|milk"),
    (#""AQI=""#, "binary", "VARBINARY(8)", "blob|b'\\x01\\x02'"),
  ])
  func valueFitsItsColumn(
    value: String, type: String, declared: String, stored expected: String
  ) async throws {
    let outcome = try await seed(value, type, as: declared)
    #expect(outcome.code == 0, "\(declared): \(outcome.error)")
    #expect(try stored() == expected + "\n")
    #expect(!outcome.text.contains("not-carried-over"), "\(outcome.text)")
  }

  /// What the column would make another value of is no value of it.
  @Test(arguments: ["1", "007", " 12 ", "+1", "1.", ".5", "1e5", "-1.5E+3"])
  func textThatBecomesANumberIsRejected(_ text: String) async throws {
    let outcome = try await seed("\"\(text)\"", "text", as: "NUMERIC")
    #expect(outcome.code == 2, "\(outcome.error)")
    #expect(outcome.text.contains("values of Item.n that the app's column does not hold"))
    #expect(try stored() == "null|None\n")
  }

  @Test(arguments: ["1e", "0x10", "1_0", ".", "-", "1.2.3", "e5", "1e+", "12 a", ""])
  func textThatStaysIsTaken(_ text: String) async throws {
    let outcome = try await seed("\"\(text)\"", "text", as: "NUMERIC")
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(try stored() == "text|\(text)\n")
  }

  @Test func decimalThatBecomesAnotherNumberIsTold() async throws {
    let outcome = try await seed(#""0.12345678901234567891""#, "decimal", as: "DECIMAL(28,20)")
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(
      outcome.text.contains("numbers of Item.N that the app's type does not hold as they are: 1"))
  }

  @Test(arguments: [
    (#""x""#, "text", "INT"), (#""x""#, "text", "DOUBLE"), (#""x""#, "text", "VARBINARY(8)"),
    ("1", "integer", "VARCHAR(5)"), (#""AQI=""#, "binary", "NUMERIC"),
    (#""2024-05-01T10:20:30Z""#, "timestamp", "BIGINT"),
  ])
  func otherTypesAreRefused(value: String, type: String, declared: String) async throws {
    let outcome = try await seed(value, type, as: declared)
    #expect(outcome.code == 64, "\(outcome.error)")
    #expect(outcome.error.contains("is \(declared), and Item.n is \(type)"), "\(outcome.error)")
  }
}
