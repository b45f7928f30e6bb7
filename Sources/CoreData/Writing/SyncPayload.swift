import Formats
import Records
import Tables

/// Spells the payloads of the SDK's operations and errors.
struct SyncPayload {
  /// Whether the SDK spells system properties with two underscores, as before 3.0.
  let hasOldSpelling: Bool

  /// The payload of an operation: the stored one where it says the same, otherwise one that the SDK
  /// would have written; nil where nothing tells what to send.
  ///
  /// What cannot be decoded stays as it is if it is the SDK's own. Members of an item with the names
  /// `foreign` are left out.
  func bytes(
    of operation: PendingOperation, hasRow: Bool, without foreign: Set<String> = []
  ) -> [UInt8]? {
    guard let kind = operation.kind else { return Self.ownBytes(operation.raw) }
    if let stored = storedBytes(of: operation, kind, without: foreign) { return stored }
    guard kind == .delete || hasRow else { return nil }
    var payload = JSONObject()
    payload["type"] = .number(JSONNumber(Self.code(of: kind)))
    if kind == .delete { payload["item"] = .object(item(of: operation, without: foreign)) }
    return payload.json
  }

  /// The payload of an error; nil where it tells neither a code nor a status.
  ///
  /// Members of its items with the names `foreign` are left out.
  func bytes(
    of error: OperationError, entity: String, without foreign: Set<String> = []
  ) -> [UInt8]? {
    if let raw = Self.ownBytes(error.raw), let object = Self.object(raw), object["code"] != nil,
      object["operation"] != nil
    {
      var spelled = respelled(object, without: foreign)
      // The SDK finds the operation by the table's name, which may be another one in this app.
      if case .string? = spelled["table"], !entity.isEmpty { spelled["table"] = .string(entity) }
      return spelled == object ? raw : spelled.json
    }
    if error.kind == nil { return Self.ownBytes(error.raw) }
    let own = error.code.flatMap(Int64.init)
    guard own != nil || error.status != nil, let kind = error.kind else { return nil }
    var payload = JSONObject()
    // Without a code of its own it is one of those that the SDK gives to answers of a server.
    payload["code"] = .number(JSONNumber(own ?? (error.status == 412 ? -1303 : -1302)))
    payload["domain"] = .string(SyncNames.errorDomain(hasOldSpelling: hasOldSpelling))
    payload["description"] = .string(error.message ?? "")
    payload["table"] = .string(entity)
    payload["operation"] = .number(JSONNumber(Self.code(of: kind)))
    payload["itemId"] = .string(error.itemID ?? "")
    payload["statusCode"] = .number(JSONNumber(error.status ?? 0))
    for (key, item) in [("item", error.item), ("serverItem", error.serverItem)] {
      if let item, let object = Self.object(item) {
        payload[key] = .object(renamed(object, without: foreign))
      }
    }
    return payload.json
  }

  /// Whether the SDK's own payload of an error spells more than the table otherwise than the app's SDK.
  func respells(_ error: OperationError, without foreign: Set<String>) -> Bool {
    guard let object = Self.ownBytes(error.raw).flatMap(Self.object) else { return false }
    return respelled(object, without: foreign) != object
  }

  /// An error of the SDK as this generation of it would have written it.
  ///
  /// The app asks for the domain, and takes the version of the server's item into the row.
  private func respelled(_ error: JSONObject, without foreign: Set<String>) -> JSONObject {
    var error = error
    for key in ["item", "serverItem"] {
      if case .object(let item)? = error[key] {
        error[key] = .object(renamed(item, without: foreign))
      }
    }
    if case .string(let domain)? = error["domain"],
      domain == SyncNames.errorDomain(hasOldSpelling: !hasOldSpelling)
    {
      error["domain"] = .string(SyncNames.errorDomain(hasOldSpelling: hasOldSpelling))
    }
    return error
  }

  /// Whether a payload is the SDK's, which alone keeps payloads as bytes.
  static func isOwn(_ raw: RawValue) -> Bool {
    if case .binary = raw { return true }
    return false
  }

  private static func ownBytes(_ raw: RawValue?) -> [UInt8]? {
    raw.flatMap { isOwn($0) ? $0.payload?.bytes : nil }
  }

  /// The stored payload where the app's SDK reads from it what it says.
  ///
  /// Other SDKs queue the item itself, which may have a member of the same name.
  private func storedBytes(
    of operation: PendingOperation, _ kind: OperationKind, without foreign: Set<String>
  ) -> [UInt8]? {
    guard let raw = Self.ownBytes(operation.raw), let object = Self.object(raw) else { return nil }
    let type: Int64? =
      switch object["type"] {
      case .number(let number): number.integer
      case .string(let text): Int64(text)
      default: nil
      }
    guard type == Self.code(of: kind) else { return nil }
    if case .object(let item)? = object["item"], renamed(item, without: foreign) != item {
      return nil
    }
    return raw
  }

  /// What is known of an item that was deleted: at least its id, and the version for a condition.
  private func item(of operation: PendingOperation, without foreign: Set<String>) -> JSONObject {
    let stored = operation.item.flatMap(Self.object)
    var item = stored.map { renamed($0, without: foreign) } ?? JSONObject()
    if item["id"] == nil { item["id"] = .string(operation.itemID ?? "") }
    let version = hasOldSpelling ? "__version" : "version"
    if item[version] == nil, let base = operation.baseVersion { item[version] = .string(base) }
    return item
  }

  /// The item with system properties as this generation of the SDK spells them.
  private func renamed(_ item: JSONObject, without foreign: Set<String>) -> JSONObject {
    var item = item
    for name in foreign { item[name] = nil }
    let members = item.members.map { member in
      var key = member.key
      for name in SyncNames.systemProperties
      where [name, "__" + name].contains(member.key) {
        key = hasOldSpelling ? "__" + name : name
      }
      return JSONObject.Member(key: key, value: member.value)
    }
    // Where an item has a property of both names, each keeps its own.
    return JSONObject(members) ?? item
  }

  private static func code(of kind: OperationKind) -> Int64 {
    switch kind {
    case .insert: 0
    case .update: 1
    case .delete: 2
    }
  }

  private static func object(_ bytes: [UInt8]) -> JSONObject? {
    // What is not JSON says nothing here, and is built anew.
    guard let object = JSONObject(parsing: bytes.span) else { return nil }
    return object
  }
}

/// How the Azure SDK for iOS spells what it keeps in a Core Data store.
package enum SyncNames {
  static let operations = "MS_TableOperations"
  static let errors = "MS_TableOperationErrors"
  static let configuration = "MS_TableConfig"

  /// The properties of an item that are the server's own.
  static let systemProperties = ["version", "createdAt", "updatedAt", "deleted"]

  /// The domain of the SDK's own errors, by whether it is of a time before 3.0.
  package static func errorDomain(hasOldSpelling: Bool) -> String {
    hasOldSpelling
      ? "com.Microsoft.WindowsAzureMobileServices.ErrorDomain"
      : "com.Microsoft.MicrosoftAzureMobile.ErrorDomain"
  }
}
