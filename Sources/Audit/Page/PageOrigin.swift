package import Bytes

/// Where a page comes from: by which tool, when, and by what command.
package struct PageOrigin: Sendable {
  var toolVersion: String
  var time: Timestamp
  var commandLine: String

  /// A page that this tool makes now.
  package init(toolVersion: String, time: Timestamp, commandLine: String) {
    self.toolVersion = toolVersion
    self.time = time
    self.commandLine = commandLine
  }
}
