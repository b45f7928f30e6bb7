import Bytes

/// To which server the operations of each device went last.
///
/// Stores of devices that were replayed to servers of their own may be merged, and then each device has
/// its own. A replay of the united store may end after some devices; so wherever a device has gone
/// from one server to another, those that were left at the first one go there, too.
struct LatestServers: Sendable, Equatable {
  /// The last line of a journal about a device and a server.
  private struct Visit: Hashable {
    let device: Int32
    let server: Int
  }

  /// Where operations went, and the line of the journal that says so.
  private struct Move {
    let server: Int
    let last: Last
  }

  /// The last line about a device and a server.
  ///
  /// Lines of journals that were merged stand one behind the other, whenever they were written.
  private struct Last {
    var line: Int64
    var time: Timestamp

    func isBehind(_ other: Last) -> Bool { line > other.line && time >= other.time }

    func isNewer(than other: Last?) -> Bool {
      other.map { (time, line) >= ($0.time, $0.line) } ?? true
    }
  }

  private var lines: [Visit: Last] = [:]
  private var servers: [Int32: Int] = [:]

  /// The latest of all devices.
  var all: Set<Int> { Set(servers.values) }

  /// The latest of a device; nil where its operations never went to any.
  subscript(device: Int32) -> Int? { servers[device] }

  /// Adds what a line of the journal tells.
  mutating func add(_ server: Int, of device: Int32, line: Int64, at time: Timestamp) {
    let visit = Visit(device: device, server: server)
    if let known = lines[visit], known.line > line { return }
    lines[visit] = Last(line: line, time: time)
  }

  /// The same with servers of other numbers; what has none is left out.
  func renumbered(_ number: (Int) -> Int?) -> LatestServers {
    var new = LatestServers()
    new.servers = servers.compactMapValues(number)
    return new
  }

  /// Finds the latest of each device, after all lines were added.
  mutating func settle() {
    var latest: [Int32: Move] = [:]
    for (visit, last) in lines where (latest[visit.device]?.last.line ?? .min) <= last.line {
      latest[visit.device] = Move(server: visit.server, last: last)
    }
    // Where those went that had been at a server before.
    var next: [Int: Move] = [:]
    for visit in lines.keys {
      guard let move = latest[visit.device], move.server != visit.server else { continue }
      if move.last.isNewer(than: next[visit.server]?.last) { next[visit.server] = move }
    }
    // Each step leads to a later line, so that the ends of the later ones are known before.
    var ends: [Int: Int] = [:]
    func end(of move: Move) -> Int {
      guard let further = next[move.server], further.last.isBehind(move.last) else {
        return move.server
      }
      return ends[move.server] ?? further.server
    }
    for (server, move) in next.sorted(by: { $0.value.last.line > $1.value.last.line }) {
      ends[server] = end(of: move)
    }
    servers = latest.mapValues(end)
  }

  static func == (left: Self, right: Self) -> Bool { left.servers == right.servers }
}
