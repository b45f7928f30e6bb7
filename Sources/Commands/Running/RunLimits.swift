import Bytes
import CommandLineKit
import Records

extension InputLimits {
  /// Reads the options that raise or lower limits.
  ///
  /// - Throws: `StoreError` when one is no positive number, or too great.
  init(_ arguments: ParsedArguments) throws(StoreError) {
    self.init()
    guard arguments.request == .run, arguments.describes(option: InputLimit.valueBytes.rawValue)
    else { return }
    func number(_ limit: InputLimit, atMost: Int = .max) throws(StoreError) -> Int? {
      guard arguments.describes(option: limit.rawValue),
        let text = arguments.value(limit.rawValue)?.text
      else { return nil }
      guard let number = Self.number(text), (1...atMost).contains(number) else {
        let bound = atMost == .max ? "" : ", \(atMost) at most"
        throw StoreError(
          .usage, "--\(limit.rawValue) takes a positive number\(bound), not \(text)",
          hint: "K, M and G stand for the powers of 1024, as in 64M")
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

  /// A number with an optional K, M or G; nil for anything else.
  private static func number(_ text: String) -> Int? {
    let powers: [Character: Int] = ["K": 1 << 10, "M": 1 << 20, "G": 1 << 30]
    guard let last = text.last, let power = powers[last] else { return Int(text) }
    let product = Int(text.dropLast())?.multipliedReportingOverflow(by: power)
    return product.flatMap { $0.overflow ? nil : $0.partialValue }
  }
}
