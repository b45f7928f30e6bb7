import Bytes
import Formats
import Records

extension StorePart {
  /// How many fields of an item are shown.
  private static let fieldLimit = 200
  /// How many fields that are the same stand among those that differ.
  private static let sameLimit = 8

  /// The fields of a change: against the server's copy where that is known.
  mutating func addFields(of change: Change) {
    let device = audit.item(of: change)
    for place in change.errors.prefix(10) {
      let error = audit.queue.errors[place]
      guard let server = error.serverItem else { continue }
      if let device = device ?? error.item {
        return addComparison(device, server, of: error, change)
      }
      return addItem(server, "On the server", change)
    }
    if let device {
      let title: StaticString = change.kind == .delete ? "Last on the device" : "On the device"
      return addItem(device, title, change)
    }
    let sent = change.errors.prefix(10).compactMap { audit.queue.errors[$0].item }.first
    if let sent { addItem(sent, "As it was when it failed", change) }
  }

  /// The device's copy beside the server's, field by field.
  mutating func addComparison(
    _ device: [UInt8], _ server: [UInt8], of error: OperationError, _ change: Change?
  ) {
    let comparison = audit.comparison(ofTable: change.map(\.table) ?? error.table)
    guard let fields = comparison.compared(device: device, server: server) else {
      addItem(device, "On the device", change)
      return addItem(server, "On the server", change)
    }
    let different = fields.count { $0.isDifferent }
    let shown = fields.filter { $0.isDifferent || $0.field.field != "id" }
    openFields(change, ["Field", "On the device", "On the server"])
    var (same, left) = (0, 0)
    for (place, each) in shown.enumerated() {
      if !each.isDifferent { same += 1 }
      guard place < Self.fieldLimit, each.isDifferent || same <= Self.sameLimit else {
        left += 1
        continue
      }
      addField(each.field, isDifferent: each.isDifferent, hasServer: true)
    }
    html.markup("</tbody></table>\n")
    if left > 0 { html.add("<p class=dim>and ", left.counted("field", "fields"), " more</p>\n") }
    guard different == 0 else { return }
    let words = audit.wordsOfSameCopies(error)
    html.add("<p class=dim>", words.prefix(1).uppercased() + words.dropFirst(), ".</p>\n")
  }

  mutating func addItem(_ item: [UInt8], _ title: StaticString, _ change: Change?) {
    guard let fields = ItemComparison.listed(item) else {
      html.markup("<pre>")
      html.shortened(String(decoding: item, as: UTF8.self))
      html.markup("</pre>\n")
      return
    }
    let filled = fields.filter { $0.device != .null && $0.field != "id" }
    let nulls = fields.filter { $0.device == .null }.map(\.field)
    openFields(change, ["Field", title])
    for field in filled.prefix(Self.fieldLimit) {
      addField(field, isDifferent: false, hasServer: false)
    }
    if filled.count > Self.fieldLimit {
      html.row("…", (filled.count - Self.fieldLimit).counted("more field", "more fields"))
    }
    if !nulls.isEmpty {
      html.markup("<tr class=dim><th scope=row>null</th><td>")
      html.shortened(nulls.prefix(Self.fieldLimit).joined(separator: ", "))
      html.markup("</td></tr>\n")
    }
    html.markup("</tbody></table>\n")
  }

  private mutating func openFields(_ change: Change?, _ columns: [StaticString]) {
    html.markup("<table class=fields><caption class=hidden>fields")
    if let change { html.add(" of operation ", String(change.sequence), "") }
    html.markup("</caption><thead><tr>")
    for column in columns {
      html.markup("<th scope=col>")
      html.markup(column)
      html.markup("</th>")
    }
    html.markup("</tr></thead><tbody>\n")
  }

  private mutating func addField(_ field: FieldDifference, isDifferent: Bool, hasServer: Bool) {
    switch (isDifferent, field.isSystemField) {
    case (true, _): html.markup("<tr class=differs><th scope=row>")
    case (false, true): html.markup("<tr class=dim><th scope=row>")
    case (false, false): html.markup("<tr><th scope=row>")
    }
    html.shortened(field.field)
    if isDifferent { html.markup(" <em>differs</em>") }
    html.markup("</th>")
    addValue(field.device, field.deviceText)
    if hasServer { addValue(field.server, field.serverText) }
    html.markup("</tr>\n")
  }

  private mutating func addValue(_ value: JSONValue?, _ text: String) {
    switch value {
    case nil: html.markup("<td><i>not there</i></td>")
    case .null?: html.markup("<td><i>null</i></td>")
    case .string("")?: html.markup("<td><i>empty text</i></td>")
    case .object?, .array?:
      html.markup("<td>")
      html.shortened(text.withLineBreaks)
      html.markup("</td>")
    default:
      html.markup("<td>")
      html.shortened(text)
      html.markup("</td>")
    }
  }
}

extension String {
  /// JSON for eyes: a line break within a text is one, and not the two characters that spell it.
  fileprivate var withLineBreaks: String {
    guard utf8.contains(UInt8(ascii: "\\")) else { return self }
    var result = ""
    var rest = unicodeScalars[...]
    while let scalar = rest.popFirst() {
      guard scalar == "\\", let next = rest.popFirst() else {
        result.unicodeScalars.append(scalar)
        continue
      }
      if next == "n" {
        result += "\n"
      } else {
        result.unicodeScalars.append(contentsOf: [scalar, next])
      }
    }
    return result
  }
}
