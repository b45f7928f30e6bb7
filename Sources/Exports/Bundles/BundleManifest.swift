import Bytes
import Formats
import Records

/// A table of a bundle, with its file and what the file holds.
struct BundleMember: Sendable {
  var table: Table
  var part: BookkeepingTable?
  var seal: TableSeal
  var file: SourceFile
}

/// Spells `manifest.json`, which `rehome-export(5)` describes.
struct BundleManifest {
  let head: ExportHead
  let format: ExportFormat
  let style: CSVStyle
  let members: [BundleMember]
  let tail: ExportTail

  /// The JSON text, one table or finding a line.
  var bytes: [UInt8] {
    var output = Array("{".utf8)
    output.appendJSON(
      "rehome",
      .members(["format": .count(1), "kind": .string("bundle"), "tool": .string(head.tool)]))
    output.append(",\n")
    output.appendJSON("dataFormat", .string(format.rawValue))
    output.append(",\n")
    output.appendJSON("csvSafe", .boolean(style.isSafe))
    output.append(",\n")
    if style == .spreadsheet {
      output.appendJSON("csvFor", .string("excel"))
      output.append(",\n")
    }
    output.appendJSON("nameOrigin", .string(head.nameOrigin.rawValue))
    output.append(",\n")
    output.appendJSONLines("sources", [.source(head.source, files: tail.files)])
    output.append(",\n")
    output.appendJSONLines("tables", members.filter { $0.part == nil }.map(\.json))
    for member in members {
      guard let part = member.part else { continue }
      output.append(",\n")
      output.appendJSON(part.rawValue, member.json)
    }
    output.append(",\n")
    output.appendJSONLines("findings", tail.findings.map(JSONValue.finding))
    output.append(",\n")
    output.appendJSON("hash", .string(tail.hash.hexadecimal))
    output.append("}\n")
    return output
  }
}

extension BundleMember {
  fileprivate var json: JSONValue {
    var value = JSONObject()
    value["name"] = .string(table.name)
    if part == nil {
      value["sourceName"] = .string(table.sourceName)
      value["sourceTable"] = .string(table.sourceTable)
    }
    value["file"] = .string(file.name)
    value["bytes"] = .count(file.bytes)
    value["sha256"] = .string(file.sha256)
    value["count"] = .count(seal.rows)
    value["hash"] = .optional(seal.hash?.hexadecimal)
    value["columns"] = .array(table.columns.map(JSONValue.column))
    return .object(value)
  }
}
