import Foundation
import TestSupport

/// Lends a new folder that holds a script, two files and a folder, and removes it afterwards.
func withScriptFolder<Result>(
  _ script: String, _ body: (URL) throws -> Result
) throws -> Result {
  let folder = try TemporaryFolder()
  try folder.makeFolder("files/shelf")
  try folder.write(script, to: "script")
  for name in ["bowl.pot", "jug with handle.pot"] { try folder.write("", to: "files/" + name) }
  return try body(folder.url)
}
