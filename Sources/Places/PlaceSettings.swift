import Bytes
package import SQLite

/// How places are gone through.
package struct PlaceSettings: Sendable {
  /// Where private copies go.
  var temporaryFolder: String
  /// Raised when the run must stop.
  var interruption: Interruption
  /// How a path tells its device: a pattern with `{device}` in it.
  package var devicePattern: DevicePattern?
  /// Whether of a store that is not to be had whole what is left is read.
  package var salvages = false
  /// How many containers may be one inside the other, the place itself counted.
  let maxDepth = InputLimits.current.nesting

  /// Settings for a run.
  package init(temporaryFolder: String, interruption: Interruption) {
    self.temporaryFolder = temporaryFolder
    self.interruption = interruption
  }
}
