import Bytes
import CommandLineKit
import Records
import Synchronization

extension InputLimits {
  /// Reads the options that raise or lower limits.
  init(_ arguments: ParsedArguments) throws(StoreError) {
    self.init()
    guard arguments.request == .run, arguments.describes(option: InputLimit.valueBytes.rawValue)
    else { return }
    func number(_ limit: InputLimit, atMost: Int = .max) throws(StoreError) -> Int? {
      guard arguments.describes(option: limit.rawValue),
        let text = arguments.value(limit.rawValue)?.text
      else { return nil }
      guard let number = limit.isSize ? Self.size(text) : Int(text), (1...atMost).contains(number)
      else {
        let bound = atMost == .max ? "" : ", \(atMost) at most"
        throw StoreError(
          .usage, "--\(limit.rawValue) takes a positive number\(bound), not \(text)",
          hint: limit.isSize
            ? "K, M and G stand for the powers of 1024, as in 64M"
            : "it is a whole number, as in 64")
      }
      return number
    }
    // No value is larger in the engine, whatever is asked for.
    valueBytes = try number(.valueBytes, atMost: 1_000_000_000) ?? valueBytes
    depth = try number(.depth, atMost: Self.greatestDepth)
    columns = try number(.columns) ?? columns
    pipe = try number(.pipe) ?? pipe
    memory = try number(.memory) ?? memory
    seconds = try number(.seconds)
    memberBytes = try number(.memberBytes) ?? memberBytes
    ratio = try number(.ratio) ?? ratio
    members = try number(.members) ?? members
    nesting = try number(.nesting, atMost: Self.greatestNesting) ?? nesting
    threads = try Self.threads(arguments)
  }

  /// How many threads were asked for; requests of a replay are something else.
  private static func threads(_ arguments: ParsedArguments) throws(StoreError) -> Int? {
    guard arguments.path.leaf.options.contains(CommonOptions.jobs),
      let text = arguments.value(CommonOptions.jobs.name)?.text
    else { return nil }
    guard let count = Int(text), (1...64).contains(count) else {
      throw StoreError(.usage, "--jobs takes a number from 1 to 64")
    }
    return count
  }

  /// A number of bytes with an optional K, M or G; nil for anything else.
  private static func size(_ text: String) -> Int? {
    let powers: [Character: Int] = ["K": 1 << 10, "M": 1 << 20, "G": 1 << 30]
    guard let last = text.last, let power = powers[last] else { return Int(text) }
    let product = Int(text.dropLast())?.multipliedReportingOverflow(by: power)
    return product.flatMap { $0.overflow ? nil : $0.partialValue }
  }
}

/// Watches how long one store takes, and how much memory.
///
/// It is asked from within queries and loops, and so often that most answers must cost nothing.
final class RunBudget: Sendable {
  private let limits: InputLimits
  private let begin = Atomic<UInt64>(monotonicNanoseconds())
  private let nextLook = Atomic<UInt64>(0)
  /// Whether it took too long, and the bytes when those were too many; else 0.
  private let tookTooLong = Atomic<Bool>(false)
  private let bytesPassed = Atomic<Int>(0)
  /// The bytes that were too many last: another store may have begun before that is told.
  private let lastBytes = Atomic<Int>(0)

  /// How long memory may grow unseen.
  private static let interval: UInt64 = 50_000_000

  init(_ limits: InputLimits) {
    self.limits = limits
  }

  /// Starts the time of the next store.
  func beginStore() {
    begin.store(monotonicNanoseconds(), ordering: .relaxed)
    tookTooLong.store(false, ordering: .relaxed)
    bytesPassed.store(0, ordering: .relaxed)
  }

  /// Whether a limit was passed; it stays so until the next store.
  var isSpent: Bool {
    if hasPassed { return true }
    let now = monotonicNanoseconds()
    guard now >= nextLook.load(ordering: .relaxed) else { return false }
    nextLook.store(now &+ Self.interval, ordering: .relaxed)
    let seconds = Int(clamping: (now &- begin.load(ordering: .relaxed)) / 1_000_000_000)
    if let bound = limits.seconds, seconds >= bound {
      tookTooLong.store(true, ordering: .relaxed)
    } else if let bound = limits.memory, let bytes = residentBytes(), bytes > bound {
      lastBytes.store(bytes, ordering: .relaxed)
      bytesPassed.store(bytes, ordering: .relaxed)
    }
    return hasPassed
  }

  private var hasPassed: Bool {
    tookTooLong.load(ordering: .relaxed) || bytesPassed.load(ordering: .relaxed) > 0
  }

  /// The bytes that were too many, or 0 where it took too long; nil where no limit was passed.
  private var passedBytes: Int? {
    if hasPassed { return bytesPassed.load(ordering: .relaxed) }
    // Of several stores at a time, one that begins forgets what another has passed.
    let bytes = lastBytes.load(ordering: .relaxed)
    return bytes > 0 && !SignalWatch.isInterrupted ? bytes : nil
  }

  /// What to say instead of "interrupted" when it was a limit that stopped the run.
  func error(insteadOf error: StoreError) -> StoreError {
    guard error.kind == .interrupted, let bytes = passedBytes else { return error }
    if bytes > 0 {
      return StoreError(
        .limit, path: error.path, "reading it takes \(Quantity.bytes(bytes)) of memory",
        hint: InputLimit.memory.hint)
    }
    return StoreError(
      .limit, path: error.path, "reading it takes longer than \(limits.seconds ?? 0) s",
      hint: InputLimit.seconds.hint)
  }
}

/// The memory that this process has in use; nil where the system does not say.
private func residentBytes() -> Int? {
  guard let text = try? readPrefix(of: "/proc/self/statm", count: 64) else { return nil }
  let fields = String(decoding: text, as: UTF8.self).split(separator: " ")
  guard fields.count > 1, let pages = Int(fields[1]) else { return nil }
  return pages.multipliedReportingOverflow(by: 4096).partialValue
}
