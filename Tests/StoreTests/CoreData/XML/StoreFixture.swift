import Foundation
import TestSupport
import Testing
import XMLFormat

@testable import CoreData

/// A small XML store of a corpus folder; adding a file adds a test.
struct StoreFixture: CustomTestStringConvertible, Sendable {
  let path: String

  var name: String { URL(filePath: path).deletingPathExtension().lastPathComponent }
  var testDescription: String { name }

  func bytes() throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(filePath: path))) }

  /// What the prefix of a rejected file's name says about the error.
  var expectedCode: XMLError.Code {
    XMLError.Code(rawValue: String(name.prefix { $0 != "-" })) ?? .notWellFormed
  }

  /// The files of a folder in `Fixtures`, sorted; a missing folder gives none, which a test sees.
  static func all(in folder: String) -> [StoreFixture] {
    let root = URL(filePath: #filePath).deletingLastPathComponent()
    let path = root.appending(path: "Fixtures/" + folder).path
    // No folder means no fixtures, and a test fails then.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return names.sorted().map { StoreFixture(path: path + "/" + $0) }
  }
}

/// All objects of a store as lines.
func lines(of store: consuming CoreDataXMLStore) throws -> [String] {
  var lines: [String] = []
  while try store.next() {
    let names = store.names
    lines.append("object \(names[store.object.type]) \(store.object.withID { text($0) })")
    for attribute in store.object.attributes {
      let value = store.object.withText(of: attribute) { text($0) }
      lines.append("attribute \(names[attribute.name]) \(attribute.type.rawValue) \(value)")
    }
    for relationship in store.object.relationships {
      let destination = relationship.destination.map { names[$0] } ?? ""
      let bounds = "\(relationship.bounds.least)/\(relationship.bounds.most)"
      var ids: [String] = []
      store.object.forEachID(in: relationship) { ids.append(text($0)) }
      lines.append(
        (["relationship", names[relationship.name], bounds, destination] + ids)
          .joined(separator: " "))
    }
  }
  return lines
}

private func text(_ bytes: Span<UInt8>) -> String {
  String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
}

/// What ElementTree finds in a store, in the same form, and what it counts.
struct StoreOracle: Decodable {
  let lines: [String]
  let counts: [String: Int]
  let attributes: [String: [String: [String: Int]]]
  let targets: [String: [String: [Int]]]
  let hashes: [String: Data]

  init(_ path: String) throws {
    let output = try Python.run(Self.script, arguments: [path])
    self = try JSONDecoder().decode(Self.self, from: output)
  }

  private static let script = """
    import base64, json, plistlib, re, sys
    import xml.etree.ElementTree as ET
    kinds = "string int16 int32 int64 float double decimal bool date binary".split()
    root = ET.parse(sys.argv[1]).getroot()
    lines, counts, attributes, targets = [], {}, {}, {}
    for o in root.findall("object"):
        t = o.get("type")
        counts[t] = counts.get(t, 0) + 1
        lines.append(f"object {t} {o.get('id', '')}")
        for a in o.findall("attribute"):
            kind = a.get("type") if a.get("type") in kinds else "unknown"
            found = attributes.setdefault(t, {}).setdefault(a.get("name"), {})
            found[kind] = found.get(kind, 0) + 1
            lines.append(f"attribute {a.get('name')} {kind} {''.join(a.itertext())}")
        for r in o.findall("relationship"):
            bounds = r.get("type", "")
            bounds = bounds if re.fullmatch("[0-9]+/[0-9]+", bounds) else "0/0"
            ids = r.get("idrefs", "").split()
            targets.setdefault(t, {}).setdefault(r.get("name"), []).append(len(ids))
            lines.append(" ".join(["relationship", r.get("name"), bounds, r.get("destination", "")] + ids))
    plist = root.find("databaseInfo/metadata/plist")
    hashes = {}
    if plist is not None:
        hashes = plistlib.loads(ET.tostring(plist)).get("NSStoreModelVersionHashes", {})
    hashes = {k: base64.b64encode(v).decode() for k, v in hashes.items()}
    json.dump({"lines": lines, "counts": counts, "attributes": attributes, "targets": targets,
               "hashes": hashes}, sys.stdout)
    """
}
