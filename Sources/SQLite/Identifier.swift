/// A name as SQL spells it, whatever characters it holds.
package func quoted(_ name: String) -> String {
  "\"" + name.replacing("\"", with: "\"\"") + "\""
}

/// A text as SQL spells it; only for statements that take no parameters.
package func quotedLiteral(_ text: String) -> String {
  "'" + text.replacing("'", with: "''") + "'"
}
