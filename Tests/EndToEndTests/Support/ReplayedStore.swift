import TestSupport

/// A canonical store whose operations were sent to a server, and then rehearsed.
enum ReplayedStore {
  /// Adds a journal: a server has taken operation 1, nobody knows of 2, 4 is in conflict or ended in
  /// another way, and a store took 3 in a rehearsal.
  static func addJournal(
    to store: String, outcomeOf4 outcome: String = "conflict", server: String = "https://a.example"
  ) throws {
    let script = """
      import sqlite3, sys
      server = sys.argv[3]
      lines = [(1, 'sending', server, None), (1, 'applied', server, 200),
               (2, 'sending', server, None), (4, sys.argv[2], server, 412),
               (3, 'applied', 'rehome:1f', None)]
      time = '2020-01-01T00:00:00.000Z'
      with sqlite3.connect(sys.argv[1]) as db:
          db.execute('''CREATE TABLE IF NOT EXISTS rehome_replay (id INTEGER PRIMARY KEY,
              sequence INTEGER NOT NULL, at TEXT NOT NULL, event TEXT NOT NULL, detail TEXT,
              target TEXT, attempt INTEGER, status INTEGER, version TEXT) STRICT''')
          for sequence, event, target, status in lines:
              db.execute('''INSERT INTO rehome_replay (sequence, at, event, target, status)
                  VALUES (?, ?, ?, ?, ?)''', (sequence, time, event, target, status))
      """
    _ = try python(script, store, outcome, server)
  }
}
