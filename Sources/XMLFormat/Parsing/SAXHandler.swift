import CLibXML2

/// The calls by which the parser says what it reads; the first argument is a `ParserState`.
///
/// What is left out keeps its empty default: nothing is loaded, and nothing reaches the terminal.
func makeSAXHandler() -> xmlSAXHandler {
  var handler = unsafe xmlSAXHandler()
  // The value that marks a handler of the second kind; the macro does not fit a signed number.
  unsafe handler.initialized = UInt32(XML_SAX2_MAGIC)
  unsafe handler.startElementNs = { state, local, _, namespace, namespaces, _, count, _, fields in
    unsafe withState(state) {
      unsafe $0.startElement(
        .init(
          name: .init(local: local, namespace: namespace), namespaceCount: Int(namespaces),
          attributeCount: Int(count), attributes: fields))
    }
  }
  unsafe handler.endElementNs = { state, local, _, namespace in
    unsafe withState(state) { unsafe $0.endElement(.init(local: local, namespace: namespace)) }
  }
  unsafe handler.characters = { state, text, count in
    unsafe withState(state) { unsafe $0.addText(text, count: count) }
  }
  unsafe handler.ignorableWhitespace = unsafe handler.characters
  unsafe handler.cdataBlock = unsafe handler.characters
  unsafe handler.serror = { state, error in
    unsafe withState(state) { unsafe $0.note(error) }
  }
  unsafe addDeclarationHandlers(to: &handler)
  return unsafe handler
}

/// Document types are looked at, and everything that would make or use an entity is refused.
private func addDeclarationHandlers(to handler: inout xmlSAXHandler) {
  unsafe handler.internalSubset = { state, _, _, _ in
    unsafe withState(state) { $0.startDoctype() }
  }
  unsafe handler.getEntity = { state, _ in
    unsafe withState(state) { $0.refuseEntity() }
    return nil
  }
  unsafe handler.getParameterEntity = unsafe handler.getEntity
  unsafe handler.reference = { state, _ in
    unsafe withState(state) { $0.refuseEntity() }
  }
  unsafe handler.resolveEntity = { state, _, _ in
    unsafe withState(state) { $0.refuseEntity() }
    return nil
  }
  unsafe handler.entityDecl = { state, _, _, _, _, _ in
    unsafe withState(state) { $0.refuseEntity() }
  }
  unsafe handler.unparsedEntityDecl = { state, _, _, _, _ in
    unsafe withState(state) { $0.refuseEntity() }
  }
}

extension ParserState {
  /// Ends the parse because of an entity that XML itself does not define.
  mutating func refuseEntity() {
    refuse(.entity, "the document uses an entity that is not one of the five of XML")
  }
}

/// Gives a call the state it belongs to.
private func withState(_ pointer: UnsafeMutableRawPointer?, _ body: (inout ParserState) -> Void) {
  // `PushParser` hands the parser the address of its state, which outlives the parser, and
  // touches it only when no call is under way.
  guard let state = unsafe pointer?.assumingMemoryBound(to: ParserState.self) else { return }
  unsafe body(&state.pointee)
}
