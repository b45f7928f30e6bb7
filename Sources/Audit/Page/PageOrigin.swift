package import Bytes

/// Where a page comes from: by which tool, when, and by what command.
package struct PageOrigin: Sendable {
  /// The tool's version.
  package var toolVersion: String
  /// When the stores were read.
  package var time: Timestamp
  /// The command, as one would type it.
  package var commandLine: String

  /// A page that this tool makes now.
  package init(toolVersion: String, time: Timestamp, commandLine: String) {
    self.toolVersion = toolVersion
    self.time = time
    self.commandLine = commandLine
  }
}
