import TestSupport

/// The states in which a store may be found, each made by a script in an empty folder.
enum SourceStores {
  /// Lines that make `store.sqlite` with a table `t` of the numbers from 1.
  static let numbers = """
    def make(name="store.sqlite", count=3, wal=False):
        db = sqlite3.connect(name)
        if wal: db.execute("PRAGMA journal_mode = WAL")
        db.execute("CREATE TABLE t(a)")
        db.executemany("INSERT INTO t VALUES (?)", [(i + 1,) for i in range(count)])
        db.commit()
        return db

    def take(ending, source="source.sqlite"):
        shutil.copyfile(source + ending, "store.sqlite" + ending)

    def clean():
        for ending in ("", "-wal", "-shm", "-journal"):
            if os.path.exists("source.sqlite" + ending): os.remove("source.sqlite" + ending)

    """

  static let clean = numbers + "make().close()"

  /// Two rows in the main file and three more only in the WAL.
  static let rowsInWAL =
    numbers + """
      db = make("source.sqlite", 2, wal=True)
      db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
      db.executemany("INSERT INTO t VALUES (?)", [(3,), (4,), (5,)])
      db.commit()
      take(""), take("-wal")
      db.close(), clean()
      """

  /// Everything is in the WAL: the main file has only its first page.
  static let allInWAL =
    numbers + """
      db = make("source.sqlite", 4, wal=True)
      take(""), take("-wal"), take("-shm")
      db.close(), clean()
      """

  /// A WAL that was cut in its last frame: a transaction that never became whole.
  static let cutWAL =
    rowsInWAL + """

      with open("store.sqlite-wal", "r+b") as file: file.truncate(os.path.getsize("store.sqlite-wal") - 9)
      """

  /// A transaction that reached the main file but was never committed.
  static let hotJournal =
    numbers + """
      db = sqlite3.connect("source.sqlite")
      db.executescript("PRAGMA page_size = 512; PRAGMA cache_size = 5; PRAGMA cache_spill = 1")
      db.execute("CREATE TABLE t(a, b)")
      db.executemany("INSERT INTO t VALUES (?, ?)", [(i + 1, "x" * 200) for i in range(300)])
      db.commit()
      db.execute("BEGIN")
      db.execute("UPDATE t SET a = a + 1000000, b = 'y' || b")
      db.execute("INSERT INTO t SELECT a + 1, b FROM t")
      take(""), take("-journal")
      assert os.path.getsize("store.sqlite-journal") > 10000
      with open("store.sqlite-journal", "rb") as file: assert file.read(8) != bytes(8)
      bare = sqlite3.connect("file:store.sqlite?immutable=1", uri=True)
      try: assert bare.execute("SELECT max(a) FROM t").fetchone()[0] > 1000000
      except sqlite3.DatabaseError: pass
      bare.close(), db.rollback(), db.close(), clean()
      """

  /// The same where the new first page was torn while it was written.
  static let tornFirstPage =
    hotJournal.replacing(
      "db.execute(\"INSERT", with: "db.execute('CREATE TABLE u(a)'), db.execute(\"INSERT")
      + """

      with open("store.sqlite", "r+b") as file: file.write(bytes(400))
      """

  /// A journal that was made worthless instead of being removed.
  static let zeroedJournal =
    numbers + """
      make().close()
      with open("store.sqlite-journal", "wb") as file: file.write(bytes(1024))
      """

  /// A journal of length zero, as `journal_mode = TRUNCATE` leaves it.
  static let emptySideFiles =
    numbers + """
      make(wal=True).close()
      for ending in ("-journal", "-wal"): open("store.sqlite" + ending, "wb").close()
      """

  /// A database whose header asks for a WAL that is not there, nor missed.
  static let walHeaderAlone = numbers + "make(wal=True).close()"

  /// The shared memory of a WAL that was left behind.
  static let loneSharedMemory =
    numbers + """
      make(wal=True).close()
      with open("store.sqlite-shm", "wb") as file: file.write(bytes(32768))
      """

  static let symbolicLink =
    numbers + """
      os.mkdir("elsewhere")
      make("elsewhere/real.sqlite").close()
      os.symlink("elsewhere/real.sqlite", "store.sqlite")
      """

  static let otherOwner =
    numbers + """
      make().close()
      if os.getuid() == 0: os.chown("store.sqlite", 12345, 12345)
      """
}
