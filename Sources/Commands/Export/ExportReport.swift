import Bytes
import CommandLineKit
import Records

/// What an export has done.
struct ExportReport: Sendable {
  var output: String
  var format: String
  var form: String
  var balances: [TableBalance] = []
  var hashes: [SHA256Digest?] = []
  var queue: Queue?
  var hash: SHA256Digest?
  var findings: [Finding] = []

  /// How many cells were left empty.
  var rejectedCells: Int { balances.reduce(0) { $0 + $1.rejectedCells } }

  /// The report for a program.
  var json: ReportJSON {
    [
      "output": .string(output), "format": .string(format), "form": .string(form),
      "hash": ReportJSON(hash?.hexadecimal),
      "tables": .array(
        zip(balances, hashes).map { balance, hash in
          guard case .object(var members) = ReportJSON(balance) else { return .null }
          members.append(.init("hash", ReportJSON(hash?.hexadecimal)))
          return .object(members)
        }),
      "queue": queue.map(ReportJSON.init) ?? .null,
      "findings": .array(findings.map(ReportJSON.init)),
    ]
  }
}
