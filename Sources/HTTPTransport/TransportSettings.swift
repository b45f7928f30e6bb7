/// How requests are carried.
package struct TransportSettings: Sendable {
  /// Where the server is.
  package var base: BaseURL
  /// How many connections there are at most; further requests wait for one.
  package var connections: Int
  /// How long a request may take from its start to the last byte of the answer.
  package var timeoutMilliseconds: Int
  /// The only authorities that are trusted, instead of the system's, as a PEM file.
  package var authorityFile: String?
  /// The largest answer that is taken.
  package var largestAnswer = 64 << 20

  /// Settings with their usual values.
  package init(
    base: BaseURL, connections: Int = 1, timeoutMilliseconds: Int = 60_000,
    authorityFile: String? = nil
  ) {
    self.base = base
    self.connections = max(1, min(connections, 256))
    self.timeoutMilliseconds = max(1, min(timeoutMilliseconds, 86_400_000))
    self.authorityFile = authorityFile
  }
}
