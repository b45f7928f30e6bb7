import Bytes

/// Findings one behind the other: few are kept in memory, many in a file without a name.
///
/// There may be one for each operation of a long queue. A copy may grow, too; the file is gone when
/// the last of them is.
package struct Findings: Sendable {
  /// Those before the last ones.
  private var pieces: [Piece] = []
  private var recent: [Finding] = []
  /// How many there are before the last ones.
  private var settledCount = 0
  /// What takes more of them; nil as long as they are few, or where no file can be written.
  private var file: FindingFile?
  private var canSpill = true

  private enum Piece {
    case inMemory([Finding])
    case inFile(FindingFile, FindingFile.Place)
  }

  /// How many stay in memory as long as there is no file, and then.
  private static let memoryLimit = 4096
  private static let pieceCount = 512

  /// Some findings.
  package init(_ findings: some Sequence<Finding> = []) { append(contentsOf: findings) }

  /// Adds a finding.
  package mutating func append(_ finding: Finding) {
    recent.append(finding)
    if recent.count >= (file == nil ? Self.memoryLimit : Self.pieceCount), canSpill { spill() }
  }

  /// Adds findings that come one behind the other.
  package mutating func append(contentsOf findings: some Sequence<Finding>) {
    for finding in findings { append(finding) }
  }

  /// Adds the findings of another list, of which those in a file stay there.
  package mutating func append(contentsOf others: Findings) {
    guard !others.pieces.isEmpty else { return append(contentsOf: others.recent) }
    if !recent.isEmpty { pieces.append(.inMemory(recent)) }
    settledCount = count + others.settledCount
    pieces += others.pieces
    recent = others.recent
  }

  private mutating func spill() {
    do throws(FileError) {
      let file = if let file { file } else { try FindingFile.shared() }
      var added: [Piece] = []
      for start in stride(from: 0, to: recent.count, by: Self.pieceCount) {
        let part = recent[start..<Swift.min(start + Self.pieceCount, recent.count)]
        added.append(.inFile(file, try file.append(part)))
      }
      pieces += added
      self.file = file
      settledCount += recent.count
      recent.removeAll(keepingCapacity: recent.count <= Self.pieceCount)
    } catch {
      // What no file can take stays in memory.
      canSpill = false
    }
  }
}

extension Findings: Sequence {
  /// How many findings there are.
  package var count: Int { settledCount + recent.count }

  /// Whether there is none.
  package var isEmpty: Bool { count == 0 }

  /// The first one.
  package var first: Finding? { first { _ in true } }

  /// At least as many as there are.
  package var underestimatedCount: Int { count }

  /// Goes through all findings, of which those in a file are read piece by piece.
  package func makeIterator() -> Iterator { Iterator(self) }

  /// One finding after the other.
  package struct Iterator: IteratorProtocol {
    private let findings: Findings
    private var piece: ArraySlice<Finding> = []
    private var number = 0

    fileprivate init(_ findings: Findings) { self.findings = findings }

    /// The next finding.
    package mutating func next() -> Finding? {
      while piece.isEmpty {
        guard number <= findings.pieces.count else { return nil }
        piece = findings.piece(number)
        number += 1
      }
      return piece.removeFirst()
    }
  }

  /// A piece by its number; the last ones are behind all others.
  private func piece(_ number: Int) -> ArraySlice<Finding> {
    guard number < pieces.count else { return recent[...] }
    return switch pieces[number] {
    case .inMemory(let findings): findings[...]
    case .inFile(let file, let place): file.findings(at: place)[...]
    }
  }

  /// The findings as they are after a change.
  package func changed(_ change: (inout Finding) -> Void) -> Findings {
    var findings = Findings()
    for var finding in self {
      change(&finding)
      findings.append(finding)
    }
    return findings
  }

  /// The findings of one list and then those of another.
  package static func + (first: Findings, second: Findings) -> Findings {
    var findings = first
    findings.append(contentsOf: second)
    return findings
  }

  /// Some findings and then those of a list.
  package static func + (first: [Finding], second: Findings) -> Findings {
    Findings(first) + second
  }

  /// The findings of one list and then some others.
  package static func + (first: Findings, second: [Finding]) -> Findings {
    var findings = first
    findings.append(contentsOf: second)
    return findings
  }
}

extension Findings: Equatable, ExpressibleByArrayLiteral {
  /// A list of these findings.
  package init(arrayLiteral findings: Finding...) { self.init(findings) }

  /// Whether the findings are the same.
  package static func == (left: Findings, right: Findings) -> Bool {
    left.count == right.count && left.elementsEqual(right)
  }
}
