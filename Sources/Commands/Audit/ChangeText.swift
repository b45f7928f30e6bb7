import Audit
import Bytes
import CommandLineKit
import Formats
import Records

/// The changes of a store for a person: what became of each, why, and what a replay would send.
struct ChangeText {
  let audit: StoreAudit
  let style: TextStyle

  static let limit = 50
  private static let valueLimits = (screen: 60, elsewhere: 4000)

  /// The changes that wait, those that need a person first; empty where none does.
  func text(_ changes: ChangeList) -> String {
    var text = ""
    for fate in ChangeFate.allCases where fate != .settled {
      let range = changes.range(of: fate)
      let shown = range.prefix(max(0, Self.limit - range.lowerBound))
      guard !shown.isEmpty else { continue }
      text += style.bold(Self.title(fate)) + "\n"
      for place in shown { text += block(changes[place]) }
    }
    let rest = changes.counts.waiting - Self.limit
    if rest > 0 { text += "… and \(rest.grouped) more; --html and --json have all\n" }
    return text
  }

  private static func title(_ fate: ChangeFate) -> String {
    switch fate {
    case .decide: "What you must decide"
    case .lost: "What cannot be sent"
    case .ready: "What can still be sent"
    case .settled: "What is settled"
    }
  }

  private func block(_ change: Change) -> String {
    let numbers = change.shownSequences.map(String.init).joined(separator: ", ")
    let more = change.unshownCount > 0 ? " and \(change.unshownCount.grouped) more" : ""
    let isCommand = audit.isCommand(change.first)
    let names = [
      change.kind?.rawValue ?? (isCommand ? "command" : "unreadable"), change.table, change.itemID,
    ]
    let heading =
      "  \(numbers)\(more): "
      + names.compactMap(\.self).map(escapedForTerminal).joined(separator: " ")
    let reasons =
      audit.questions(about: change)
      + change.errors.prefix(5).map { audit.reason(ofError: $0) }
    let outcomes = audit.outcomes(of: change)
    let replays = outcomes.shown.map {
      ($0.isRehearsal ? "rehearsed: " : "replayed: ") + $0.sentence
    }
    var lines = reasons + replays + (outcomes.rest.map { [$0] } ?? [])
    if let reason = change.effect.flatMap(audit.reasonNotToSend) {
      lines.append(reason)
    } else if let effect = change.effect {
      lines.append("a replay would " + audit.request(of: effect))
    } else if change.kind == nil {
      lines.append(
        isCommand ? "it is a command to the server and no change" : "it cannot be read")
    }
    lines += fields(of: change)
    return heading + "\n" + lines.map { "     " + escapedForTerminal($0) + "\n" }.joined()
  }

  /// Where both copies differ, or what the device has where the server's is not known.
  private func fields(of change: Change) -> [String] {
    let device = audit.item(of: change)
    let errors = change.errors.map { audit.queue.errors[$0] }
    if let error = errors.first(where: { $0.serverItem != nil }), let server = error.serverItem,
      let item = device ?? error.item,
      let differences = audit.comparison(ofTable: change.table)
        .differences(device: item, server: server)
    {
      let lines = differences.map { each in
        "\(each.field): here \(shortened(each.deviceText)), "
          + "on the server \(shortened(each.serverText))"
      }
      return lines.isEmpty ? [audit.wordsOfSameCopies(error)] : lines
    }
    guard let item = device ?? errors.compactMap(\.item).first,
      let fields = ItemComparison.listed(item)
    else { return [] }
    let values = fields.filter { $0.device != .null && $0.field != "id" && !$0.isSystemField }
      .map { "\($0.field): \(shortened($0.deviceText))" }
    return values.isEmpty ? [] : [values.joined(separator: "; ")]
  }

  private func shortened(_ value: String) -> String {
    if value.isEmpty { return "(empty)" }
    let limit = style.width == nil ? Self.valueLimits.elsewhere : Self.valueLimits.screen
    let end = value.unicodeScalars.index(
      value.startIndex, offsetBy: limit, limitedBy: value.endIndex)
    guard let end, end < value.endIndex else { return value }
    return value[..<end] + "… (" + Quantity.bytes(value.utf8.count) + ")"
  }
}
