package import Bytes

extension HTMLText {
  /// Appends the head of a page.
  ///
  /// A policy lets browsers run only the page's own style and script, known by hash.
  mutating func openPage(title: String, isOfFleet: Bool) {
    markup("<!DOCTYPE html>\n<html lang=en><head><meta charset=utf-8>\n")
    markup("<meta http-equiv=Content-Security-Policy content=\"default-src 'none'; ")
    markup("base-uri 'none'; form-action 'none'; style-src 'sha256-")
    hash(PageStyle.css)
    markup("'; script-src 'sha256-")
    hash(PageScript.source)
    markup("'\">\n<meta name=viewport content=\"width=device-width,initial-scale=1\">\n")
    add("<meta name=referrer content=no-referrer><title>", title, " – rehome audit</title>\n")
    markup("<style>")
    markup(PageStyle.css)
    markup("</style></head>\n")
    markup(isOfFleet ? "<body class=fleet>\n" : "<body>\n")
    markup("<a class=skip href=\"#main\">Skip to the content</a>\n")
  }

  mutating func closePage() {
    markup("</main>\n<script>")
    markup(PageScript.source)
    markup("</script>\n</body></html>\n")
  }

  /// Opens what a fleet's page says about one store.
  mutating func openStore(_ name: String, _ number: Int) {
    markup("<h2 id=store-")
    self.number(number)
    add(" tabindex=-1>", name, "</h2>\n")
  }

  /// Appends the place at which a script shows more parts.
  mutating func addMore(_ parts: Range<Int>) {
    markup("<p class=more data-from=")
    number(parts.lowerBound)
    markup(" data-to=")
    number(parts.upperBound)
    add(">", parts.count.grouped, " more are in this page; a script is needed to show them.</p>\n")
  }

  /// Tells what had no room on the page, and where it is.
  mutating func addRoom(_ room: PagePacks.Room, isOfFleet: Bool) {
    guard room.short + room.none > 0 else { return }
    markup("<p class=room>So that the page stays small, ")
    if room.short > 0 {
      add("", room.short.grouped, "")
      markup(isOfFleet ? " stores" : " changes")
      markup(" are here without the fields")
    }
    if room.none > 0 {
      markup(room.short > 0 ? ", and " : "")
      add("", room.none.grouped, "")
      markup(isOfFleet ? " stores are only in the list" : " changes are not here at all")
    }
    markup(
      isOfFleet
        ? "; <code>rehome audit --html</code> of such a store alone shows all.</p>\n"
        : "; <code>rehome audit --json</code> and <code>rehome ops show</code> have all.</p>\n")
  }

  /// Appends the hash by which a policy knows a style or script.
  private mutating func hash(_ source: StaticString) {
    var text: [UInt8] = []
    text.append(source)
    var hash = SHA256()
    hash.update(text.span)
    let digest = hash.finish().bytes
    var encoded: [UInt8] = []
    encoded.appendBase64(digest.span)
    self.text(encoded.span)
  }
}

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
