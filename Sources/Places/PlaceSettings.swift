package import SQLite

/// How places are gone through.
package struct PlaceSettings: Sendable {
  /// Where private copies go.
  package var temporaryFolder: String
  /// Raised when the run must stop.
  package var interruption: Interruption
  /// How a path tells its device: a pattern with `{device}` in it.
  package var devicePattern: DevicePattern?
  /// How many containers may be one inside the other, the place itself counted.
  package var maxDepth = 4

  /// Settings for a run.
  package init(
    temporaryFolder: String, interruption: Interruption, devicePattern: DevicePattern? = nil
  ) {
    self.temporaryFolder = temporaryFolder
    self.interruption = interruption
    self.devicePattern = devicePattern
  }
}
