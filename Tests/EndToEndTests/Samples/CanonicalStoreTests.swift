import Foundation
import TestSupport
import Testing

/// Canonical stores, read back by Python's sqlite3 and by an oracle that shares no code with us.
struct CanonicalStoreTests {
  /// Lends the canonical store of a sample.
  private func withCanonicalStore(
    of sample: Sample, _ body: (String) throws -> Void
  ) async throws {
    let folder = try TemporaryFolder()
    let store = folder.path("out.rehome")
    let outcome = await rehome("convert", "-q", "--fail-on", "never", sample.store(), "-o", store)
    try #require(outcome.code == sample.code, "\(outcome.error)")
    #expect(folder.names == ["out.rehome"])
    try body(store)
  }

  @Test(arguments: Sample.all)
  func everyRowIsWhatTheOracleReads(of sample: Sample) async throws {
    try await withCanonicalStore(of: sample) { store in
      let oracle = Project.path("Tests/Oracles/compare_canonical.py")
      let outcome = try Program.python.run(["-B", oracle, sample.store(), store])
      #expect(outcome.code == 0, "\(outcome.text)\(outcome.error)")
    }
  }

  /// Who writes into a store of ours writes what our exports cannot spell.
  @Test(arguments: [
    "UPDATE TodoItem SET updatedAt = 'x' WHERE _pk = 1",
    "UPDATE TodoItem SET updatedAt = '2016-01-01' WHERE _pk = 1",
    "UPDATE TodoItem SET updatedAt = '9999-99-99T00:00:00.000Z' WHERE _pk = 1",
    "UPDATE rehome_token SET updatedAt = 'never'",
    "UPDATE rehome_error SET serverItem = CAST(x'7b226964223a22ff41227d' AS TEXT)",
    "UPDATE rehome_operation SET item = CAST(x'7b226964223a22ff41227d' AS TEXT)",
  ])
  func whatOthersWroteIntoAStoreIsRejectedOrRepaired(statement: String) async throws {
    let folder = try TemporaryFolder()
    let store = folder.path("out.rehome")
    let sample = Project.path("samples/ios-2016/qstodoitem.sqlite")
    #expect(await rehome("convert", "-q", sample, "-o", store).code == 0)
    let changed = try python(
      """
      import sqlite3, sys
      with sqlite3.connect(sys.argv[1]) as db: print(db.execute(sys.argv[2]).rowcount)
      """, store, statement)
    #expect(changed != "0\n")
    let hash = await rehome("hash", store).text.prefix(64)
    let isRow = statement.contains("TodoItem")
    #expect(await rehome("convert", "-q", store, "-o", folder.path("2")).code == (isRow ? 2 : 0))
    for format in ["json", "xml"] {
      let export = folder.path("export.\(format)")
      #expect(
        await rehome("export", "-q", store, "--to", format, "-o", export).code == (isRow ? 2 : 0))
      let seeded = folder.path("\(format).rehome")
      let outcome = await rehome("seed", "-q", export, "-o", seeded)
      #expect(outcome.code == 0, "\(outcome.error)")
      #expect(await rehome("hash", seeded).text.prefix(64) == hash)
    }
  }

  @Test(arguments: Sample.all)
  func fileIsMarkedSoundAndStrict(of sample: Sample) async throws {
    try await withCanonicalStore(of: sample) { store in
      let facts = try python(
        """
        import sqlite3, sys
        db = sqlite3.connect(sys.argv[1])
        print(hex(db.execute('PRAGMA application_id').fetchone()[0]),
            *db.execute('PRAGMA user_version').fetchone(),
            *db.execute('PRAGMA integrity_check').fetchone(),
            *db.execute('SELECT min(strict) FROM pragma_table_list WHERE schema = \\'main\\''
                ' AND name NOT LIKE \\'sqlite_%\\'').fetchone())
        """, store)
      #expect(facts == "0x52484d31 1 ok 1\n")
    }
  }

  @Test(arguments: Sample.all)
  func tablesBeginWithTheKeyAndHaveAnIndexOnTheID(of sample: Sample) async throws {
    try await withCanonicalStore(of: sample) { store in
      let shape = try python(
        """
        import sqlite3, sys
        db = sqlite3.connect(sys.argv[1])
        for table, in db.execute('SELECT name FROM rehome_table ORDER BY name').fetchall():
            first = db.execute(f'PRAGMA table_info("{table}")').fetchone()
            indexed = [c[2] for i in db.execute(f'PRAGMA index_list("{table}")').fetchall()
                for c in db.execute(f'PRAGMA index_info("{i[1]}")')]
            unique = [i[2] for i in db.execute(f'PRAGMA index_list("{table}")')]
            ids = [c[0] for c in db.execute('SELECT name FROM rehome_column '
                'WHERE "table" = ? AND role = ?', (table, 'id'))]
            print(table, first[1], first[2], first[5], indexed == ids, unique == [0] * len(ids))
        """, store)
      let expected = sample.tables.map { "\($0) _pk INTEGER 1 True True\n" }.joined()
      #expect(shape == expected)
    }
  }

  @Test(arguments: Sample.all)
  func booksAndQueueAreWrittenDown(of sample: Sample) async throws {
    try await withCanonicalStore(of: sample) { store in
      let counts = try python(
        """
        import json, sqlite3, sys
        db = sqlite3.connect(sys.argv[1])
        one = lambda sql: db.execute(sql).fetchone()[0]
        kinds = {k: one(f"SELECT count(*) FROM rehome_operation WHERE kind = '{k[:-1]}'")
            for k in ('inserts', 'updates', 'deletes')}
        print(json.dumps({'stores': [{
            'name': one('SELECT name FROM rehome_source'),
            'layout': one('SELECT layout FROM rehome_source'),
            'generation': one('SELECT generation FROM rehome_source'),
            'tables': [{'name': n, 'rows': w} for n, r, w in db.execute(
                'SELECT name, "read", written FROM rehome_table ORDER BY position') if r == w],
            'queue': {'operations': one('SELECT count(*) FROM rehome_operation'), **kinds,
                'errors': one('SELECT count(*) FROM rehome_error'),
                'tokens': one('SELECT count(*) FROM rehome_token')}}]}))
        """, store)
      let found = try JSONSerialization.jsonObject(with: Data(counts.utf8))
      let expected = try JSONSerialization.jsonObject(with: sample.expected("inspect.json"))
      #expect(differences(expected, found) == [])
    }
  }

  // The layouts whose payload columns the script below knows.
  @Test(arguments: Sample.all.filter { $0.name.hasPrefix("ios-") })
  func rawPayloadsOfTheQueueAreKept(of sample: Sample) async throws {
    try await withCanonicalStore(of: sample) { store in
      let verdict = try python(
        """
        import pathlib, sqlite3, sys
        sys.path.insert(0, sys.argv[3])
        from store_copy import opened
        db = sqlite3.connect(sys.argv[2])
        def raw(rows): return sorted(bytes(v) if isinstance(v, bytes) else str(v).encode()
            for v, in rows if v is not None)
        with opened(pathlib.Path(sys.argv[1])) as old:
            pairs = [('ZMS_TABLEOPERATIONS', 'rehome_operation'),
                ('ZMS_TABLEOPERATIONERRORS', 'rehome_error')]
            for source, target in pairs:
                kept = raw(db.execute(f'SELECT raw FROM {target}'))
                stored = raw(old.execute(f'SELECT ZPROPERTIES FROM {source}'))
                print(target, kept == stored, len(stored) > 0)
        """, sample.store(), store, Project.path("Tests/Oracles"))
      #expect(verdict == "rehome_operation True True\nrehome_error True True\n")
    }
  }
}
