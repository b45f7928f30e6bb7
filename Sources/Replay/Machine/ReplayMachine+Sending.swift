import Records

extension ReplayMachine {
  /// Lets requests leave whose time has come.
  ///
  /// - Returns: whether a step ended instead, so that there is room for others.
  mutating func dispatch(_ turn: inout Turn, _ item: ItemSource) throws(StoreError) -> Bool {
    var hasEnded = false
    var place = 0
    while place < active.count {
      guard !active[place].isInFlight, active[place].due <= turn.now, pace.opens <= turn.now else {
        place += 1
        continue
      }
      switch hindrance(at: place) {
      case .wait:
        place += 1
        continue
      case .question:
        askForTable(at: place, &turn)
        place += 1
        continue
      case .end(let result):
        end(at: place, result, &turn)
        hasEnded = true
        continue
      case nil: break
      }
      try fetchItem(at: place, item)
      // No request may lack what could not be read back.
      try checkWhatWasSetAside()
      if let request = active[place].course.request(maker, active[place].item) {
        send(request, at: place, &turn)
        place += 1
      } else {
        let isStored = active[place].course.step.effect.item != nil
        let reason = obstacle(at: place) ?? (isStored ? .unreadable : .withoutRow)
        end(at: place, active[place].unfinished(reason), &turn)
        hasEnded = true
      }
    }
    return hasEnded
  }

  private mutating func askForTable(at place: Int, _ turn: inout Turn) {
    let step = active[place].course.step
    tables.ask(for: step.table, step: step.id)
    active[place].asksForTable = true
    send(maker.tableQuestion(step), at: place, &turn)
  }

  private mutating func send(_ request: ReplayRequest, at place: Int, _ turn: inout Turn) {
    if request.purpose != .ask {
      notePassedOver(&turn)
      active[place].changes += 1
      active[place].promisedStatus = nil
      let mark = active[place].course.mark
      if !active[place].isJournalled || mark != nil {
        var entry = JournalEntry(active[place].course.step.effect.sequences, .sending)
        entry.attempt = active[place].changes
        entry.words = mark
        turn.journal.append(entry)
        active[place].isJournalled = true
      }
    }
    active[place].isInFlight = true
    pace.count(at: turn.now)
    turn.requests.append(request)
  }

  /// Asks for what a step sends, once, where it sends anything.
  mutating func fetchItem(at place: Int, _ item: ItemSource) throws(StoreError) {
    guard active[place].item == nil, active[place].course.goal != .remove else { return }
    let step = active[place].course.step
    let sent = try item(step).flatMap { SentItem($0, id: step.itemID, settings.dialect) }
    active[place].item =
      settings.dialect.serverGivesIDs
      ? sent?.resolved(by: maker.pointers) : sent?.shown(by: maker.pointers)
  }

  /// What a step lacks of what the server must know before it is sent.
  private func obstacle(at place: Int) -> PendingReason? {
    guard settings.dialect.serverGivesIDs else { return nil }
    let step = active[place].course.step
    if active[place].course.lacksID { return .withoutObject }
    let names = maker.pointers.targets[step.effect.source] ?? []
    return names.allSatisfy(maker.pointers.isKnown) ? nil : .withoutTarget
  }
}
