import TestSupport

/// The examples of the formats' description, from which the readers are tested.
enum WorkedExamples {
  static let dotnetA3 = """
    CREATE TABLE [TodoItem] ([id] TEXT PRIMARY KEY, [text] TEXT, [complete] BOOLEAN,
      [due] DATETIME, [__version] TEXT, [__updatedAt] DATETIME);
    CREATE TABLE [__operations] ([id] TEXT PRIMARY KEY, [kind] INTEGER, [state] INTEGER,
      [tableName] TEXT, [tableKind] INTEGER, [itemId] TEXT, [item] TEXT, [__createdAt] DATETIME,
      [sequence] INTEGER, [version] INTEGER);
    CREATE TABLE [__errors] ([id] TEXT PRIMARY KEY, [httpStatus] INTEGER,
      [operationVersion] INTEGER, [operationKind] INTEGER, [tableName] TEXT, [tableKind] INTEGER,
      [item] TEXT, [rawResult] TEXT);
    CREATE TABLE [__config] ([id] TEXT PRIMARY KEY, [value] TEXT);
    INSERT INTO [TodoItem] VALUES ('a1','milk',0,1400000000,'AAAAAAAAB9E=',1400000000.25);
    INSERT INTO [__operations] VALUES
      ('7b0f7a52-0f8e-4b1e-8a56-2f2f3d0c1a01',0,0,'TodoItem',0,'a1',NULL,NULL,1,1);
    INSERT INTO [__errors] VALUES ('7b0f7a52-0f8e-4b1e-8a56-2f2f3d0c1a01',400,1,0,'TodoItem',0,
      '{"id":"a1","text":"milk"}','{"code":400,"error":"bad"}');
    INSERT INTO [__config] VALUES ('systemProperties|TodoItem','6'),
      ('deltaToken|TodoItem|allItems','2014-05-13T16:53:20.2500000+00:00');
    """

  static let dotnetB = """
    CREATE TABLE [TodoItem] ([id] TEXT PRIMARY KEY, [text] TEXT, [complete] BOOLEAN,
      [due] DATETIME, [price] FLOAT, [photo] BLOB, [meta] JSON, [version] TEXT,
      [createdAt] DATETIME, [updatedAt] DATETIME, [deleted] BOOLEAN);
    CREATE TABLE [__operations] ([id] TEXT PRIMARY KEY, [kind] INTEGER, [state] INTEGER,
      [tableName] TEXT, [tableKind] INTEGER, [itemId] TEXT, [item] TEXT, [createdAt] DATETIME,
      [sequence] INTEGER, [version] INTEGER);
    CREATE TABLE [__errors] ([id] TEXT PRIMARY KEY, [httpStatus] INTEGER,
      [operationVersion] INTEGER, [operationKind] INTEGER, [tableName] TEXT, [tableKind] INTEGER,
      [item] TEXT, [rawResult] TEXT);
    CREATE TABLE [__config] ([id] TEXT PRIMARY KEY, [value] TEXT);
    INSERT INTO [TodoItem] VALUES ('a1','milk',1,1714558830.5,2.5,'AQID','{"k":[1,2]}',
      'AAAAAAAAB9E=',NULL,1714558830.123,0);
    INSERT INTO [__operations] VALUES
      ('0d7c1f0e-5b1a-4f0e-9a51-3c0b6d5f9e01',1,0,'TodoItem',0,'a1',NULL,NULL,1,1);
    INSERT INTO [__operations] VALUES
      ('0d7c1f0e-5b1a-4f0e-9a51-3c0b6d5f9e02',2,0,'TodoItem',0,'b2',
       '{"id":"b2","text":"tea","version":"AAAAAAAAB9I="}',NULL,2,1);
    INSERT INTO [__config] VALUES ('systemProperties|TodoItem','15'),
      ('deltaToken|TodoItem|allItems','2024-05-01T10:20:30.1230000+00:00');
    """

  static let datasync = """
    CREATE TABLE [todoitem] ([id] TEXT PRIMARY KEY, [title] TEXT, [isComplete] BOOLEAN,
      [due] DATETIME, [deleted] BOOLEAN, [updatedAt] DATETIME, [version] TEXT);
    CREATE TABLE [__operations] ([id] TEXT PRIMARY KEY, [kind] INTEGER, [state] INTEGER,
      [tableName] TEXT, [itemId] TEXT, [item] TEXT, [sequence] INTEGER, [version] INTEGER);
    CREATE TABLE [__errors] ([id] TEXT PRIMARY KEY, [status] INTEGER, [version] INTEGER,
      [kind] INTEGER, [tableName] TEXT, [item] TEXT, [rawResult] TEXT);
    CREATE TABLE [__config] ([id] TEXT PRIMARY KEY, [value] INTEGER);
    INSERT INTO [todoitem] VALUES ('a1','milk',1,1714558830500,0,1714558830123,'AAAAAAAAB9E=');
    INSERT INTO [__operations] VALUES
      ('0d7c1f0e5b1a4f0e9a513c0b6d5f9e01',3,0,'todoitem','a1',NULL,1,1);
    INSERT INTO [__config] VALUES ('dt.todoitem.allitems',1714558830123);
    """

  static let android = """
    CREATE TABLE "todoitem" ("id" TEXT PRIMARY KEY);
    ALTER TABLE "todoitem" ADD COLUMN "complete" INTEGER;
    ALTER TABLE "todoitem" ADD COLUMN "text" TEXT;
    ALTER TABLE "todoitem" ADD COLUMN "updatedat" TEXT;
    ALTER TABLE "todoitem" ADD COLUMN "version" TEXT;
    CREATE TABLE "__operations" ("id" TEXT PRIMARY KEY, "kind" REAL, "tablename" TEXT,
      "itemid" TEXT, "createdat" TEXT, "__queueloadedat" TEXT, "sequence" REAL, "state" REAL,
      "item" TEXT);
    CREATE TABLE "__errors" ("id" TEXT PRIMARY KEY, "operationid" TEXT, "operationkind" TEXT,
      "tablename" TEXT, "itemid" TEXT, "clientitem" TEXT, "errormessage" TEXT, "statuscode" REAL,
      "serverresponse" TEXT, "serveritem" TEXT, "createdat" TEXT);
    CREATE TABLE "__incrementalpulldata" ("id" TEXT PRIMARY KEY, "maxupdateddate" TEXT);
    INSERT INTO "todoitem" ("id","text","complete","updatedat","version")
      VALUES ('a1','milk',1,'2024-05-01T10:20:30.123Z','AAAAAAAAB9E=');
    INSERT INTO "__operations" VALUES ('0d7c1f0e-5b1a-4f0e-9a51-3c0b6d5f9e01',2.0,'todoitem','b2',
      '2024-05-01T10:25:00.000Z','2024-05-01T10:00:00.000Z',0.0,0.0,
      '{"id":"b2","version":"AAAAAAAAB9I="}');
    INSERT INTO "__incrementalpulldata" VALUES ('todoitem_allItems','2024-05-01T10:20:30.123Z');
    """

  static let cordova = """
    CREATE TABLE [todoitem] ([id] TEXT PRIMARY KEY,[text] TEXT,[complete] INTEGER,[due] INTEGER,
      [meta] TEXT,[version] TEXT,[updatedAt] INTEGER,[deleted] INTEGER);
    CREATE TABLE [__operations] ([id] INTEGER PRIMARY KEY,[tableName] TEXT,[action] TEXT,
      [itemId] TEXT,[metadata] TEXT);
    CREATE TABLE [__pulltime] ([id] TEXT PRIMARY KEY,[tableName] TEXT,[value] INTEGER);
    INSERT INTO [todoitem] VALUES ('a1','milk',1,1714558830500,'{"k":[1,2]}','AAAAAAAAB9E=',
      1714558830123,0);
    INSERT INTO [__operations] VALUES (1,'todoitem','update','a1','{"version":"AAAAAAAAB9E="}');
    INSERT INTO [__pulltime] VALUES ('allItems','todoitem',1714558830123);
    """

  static let toolkit = """
    CREATE TABLE "TodoItems" ("Id" TEXT NOT NULL CONSTRAINT "PK_TodoItems" PRIMARY KEY,
      "Title" TEXT NOT NULL, "IsComplete" INTEGER NOT NULL, "UpdatedAt" TEXT NULL,
      "Version" TEXT NULL, "Deleted" INTEGER NOT NULL);
    CREATE TABLE "DatasyncDeltaTokens" ("Id" TEXT NOT NULL PRIMARY KEY, "Value" INTEGER NOT NULL);
    CREATE TABLE "DatasyncOperationsQueue" ("Id" TEXT NOT NULL PRIMARY KEY,
      "Kind" INTEGER NOT NULL, "State" INTEGER NOT NULL, "LastAttempt" TEXT NULL,
      "HttpStatusCode" INTEGER NULL, "EntityType" TEXT NOT NULL, "ItemId" TEXT NOT NULL,
      "EntityVersion" TEXT NOT NULL, "Item" TEXT NOT NULL, "Sequence" INTEGER NOT NULL,
      "Version" INTEGER NOT NULL);
    INSERT INTO "TodoItems"
      VALUES ('a1','milk',1,'2024-05-01 10:20:30.123+00:00','AAAAAAAAB9E=',0);
    INSERT INTO "DatasyncOperationsQueue" VALUES ('0d7c1f0e5b1a4f0e9a513c0b6d5f9e01',2,0,NULL,NULL,
      'MyApp.Data.TodoItem','a1','AAAAAAAAB9E=',
      '{"id":"a1","updatedAt":"2024-05-01T10:20:30.123Z","title":"milk","isComplete":true}',1,0);
    INSERT INTO "DatasyncDeltaTokens" VALUES ('MyApp.Data.TodoItem',1714558830123);
    """

  static let amplifyIOS = #"""
    create table if not exists "Post" ("id" text primary key not null, "createdAt" text,
      "done" integer, "rating" real, "title" text);
    create table if not exists "ModelSyncMetadata" ("id" text primary key not null,
      "lastSync" integer, "syncPredicate" text);
    create table if not exists "MutationEvent" ("id" text primary key not null,
      "createdAt" text not null, "graphQLFilterJSON" text, "inProcess" integer not null,
      "json" text not null, "modelId" text not null, "modelName" text not null,
      "mutationType" text not null, "version" integer);
    create table if not exists "MutationSyncMetadata" ("id" text primary key not null,
      "deleted" integer not null, "lastChangedAt" integer not null, "version" integer not null);
    INSERT INTO "Post" VALUES ('A1','2024-05-01T10:20:30.123Z',1,4.5,'milk');
    INSERT INTO "MutationSyncMetadata" VALUES ('Post|A1',0,1714558830123,5);
    INSERT INTO "MutationEvent" VALUES ('E1','2024-05-02T09:00:00.000Z',NULL,0,
      '{"id":"A1","title":"milk"}','A1','Post','update',7);
    INSERT INTO "ModelSyncMetadata" VALUES ('Post',1714558830123,NULL);
    """#

  static let amplifyAndroid = #"""
    CREATE TABLE android_metadata (locale TEXT);
    CREATE TABLE IF NOT EXISTS `PersistentRecord` (`id` TEXT NOT NULL,
      `containedModelClassName` TEXT NOT NULL, `containedModelId` TEXT NOT NULL,
      `serializedMutationData` TEXT NOT NULL, PRIMARY KEY ( 'id'));
    CREATE TABLE IF NOT EXISTS `LastSyncMetadata` (`id` TEXT NOT NULL,
      `lastSyncTime` INTEGER NOT NULL, `lastSyncType` TEXT NOT NULL,
      `modelClassName` TEXT NOT NULL, `syncExpression` TEXT, PRIMARY KEY ( 'id'));
    CREATE TABLE IF NOT EXISTS `PersistentModelVersion` (`id` TEXT NOT NULL,
      `version` TEXT NOT NULL, PRIMARY KEY ( 'id'));
    CREATE TABLE IF NOT EXISTS `ModelMetadata` (`id` TEXT NOT NULL, `_deleted` INTEGER,
      `_lastChangedAt` INTEGER, `_version` INTEGER, PRIMARY KEY ( 'id'));
    CREATE TABLE IF NOT EXISTS `Post` (`id` TEXT NOT NULL, `title` TEXT, PRIMARY KEY ( 'id'));
    INSERT INTO `Post` VALUES ('a1','milk');
    INSERT INTO `ModelMetadata` VALUES ('Post|a1',0,1714558830123,5);
    INSERT INTO `PersistentRecord` VALUES ('dec4b576-0479-11ec-b744-9fe25688c16f',
      'com.amplifyframework.core.model.SerializedModel','a1','{"modelSchema":{"name":"Post",
      "fields":{"id":{"name":"id"},"title":{"name":"title"}}},"mutatedItem":{"id":"a1",
      "serializedData":{"id":"a1","title":"milk"}},
      "mutationId":dec4b576-0479-11ec-b744-9fe25688c16f,"mutationType":"UPDATE",
      "predicate":{"_type":"ALL"}}');
    INSERT INTO `LastSyncMetadata` VALUES ('t','1714558830123','BASE','Post','{"_type":"ALL"}');
    """#

  static let amplifyJS =
    AmplifyTables.ofJavaScript + #"""
      CREATE TABLE "Post" ("id" PRIMARY KEY NOT NULL, "title" TEXT, "tags" INTEGER,
        "_version" INTEGER, "_lastChangedAt" INTEGER, "_deleted" INTEGER);
      INSERT INTO "Post" VALUES ('a1','milk','[1,2]',5,1714558830123,NULL);
      INSERT INTO "MutationEvent" VALUES ('01HX','Post','{"id":"a1","title":"milk","_version":5}',
        'a1','Update','{}');
      INSERT INTO "ModelMetadata" VALUES ('m1','user','Post',1714558830123,NULL,86400000,NULL);
      """#

  static let parse = #"""
    CREATE TABLE android_metadata (locale TEXT);
    CREATE TABLE ParseObjects (uuid TEXT PRIMARY KEY, className TEXT NOT NULL, objectId TEXT,
      json TEXT, isDeletingEventually INTEGER DEFAULT 0, UNIQUE(className, objectId));
    CREATE TABLE Dependencies (key TEXT NOT NULL, uuid TEXT NOT NULL, PRIMARY KEY(key, uuid));
    INSERT INTO ParseObjects VALUES ('u-1','Game','u1u1u1u1u1','{"className":"Game",
      "objectId":"u1u1u1u1u1","createdAt":"2016-05-01T10:20:30.123Z",
      "updatedAt":"2016-05-01T10:20:31.123Z","score":10,"__complete":true,
      "__isDeletingEventually":0,"__selectedKeys":["score"],"__operations":[
      {"score":{"__op":"Increment","amount":5},"__uuid":"s-1","__isSaveEventually":true},
      {"__uuid":"s-2"}]}',0);
    INSERT INTO ParseObjects VALUES ('u-2','_EventuallyPin',NULL,'{"className":"_EventuallyPin",
      "__complete":true,"__isDeletingEventually":0,"__selectedKeys":[],"__operations":[
      {"uuid":"e-1","time":{"__type":"Date","iso":"2016-05-01T11:00:00.000Z"},"type":1,
      "object":{"__type":"Pointer","objectId":"u1u1u1u1u1","className":"Game"},
      "operationSetUUID":"s-1","sessionToken":"r:never-shown","__uuid":"s-3"}]}',0);
    INSERT INTO ParseObjects VALUES ('u-3','_Pin',NULL,'{"className":"_Pin","__complete":true,
      "__isDeletingEventually":0,"__selectedKeys":[],"__operations":[{"_name":"_eventuallyPin",
      "_objects":[{"__type":"OfflineObject","uuid":"u-2"}],"__uuid":"s-4"}]}',0);
    INSERT INTO Dependencies VALUES ('u-3','u-3'),('u-3','u-2'),('u-3','u-1');
    """#

  static let watermelon = """
    PRAGMA user_version = 3;
    create table "local_storage" ("key" varchar(16) primary key not null, "value" text not null);
    create table "tasks" ("id" primary key, "_changed", "_status", "name", "done", "position",
      "created_at");
    create index "tasks__status" on "tasks" ("_status");
    INSERT INTO "tasks" VALUES ('a', 'done', 'updated', 'milk', 1, 1.0, 1714558830123.0),
      ('b', '', 'deleted', 'gone', NULL, 2.0, NULL), ('c', '', 'created', 'new', 0, 0.0, 0.0);
    INSERT INTO "local_storage" VALUES ('__watermelon_last_pulled_at', '1714558831000');
    """

  static let powerSync = """
    CREATE TABLE ps_migration(id INTEGER PRIMARY KEY, down_migrations TEXT);
    INSERT INTO ps_migration VALUES (1, NULL), (9, '[]');
    CREATE TABLE ps_crud (id INTEGER PRIMARY KEY AUTOINCREMENT, data TEXT, tx_id INTEGER);
    CREATE TABLE ps_untyped(type TEXT NOT NULL, id TEXT NOT NULL, data TEXT,
      PRIMARY KEY (type, id));
    CREATE TABLE ps_buckets(id INTEGER PRIMARY KEY, name TEXT NOT NULL,
      last_applied_op INTEGER NOT NULL DEFAULT 0, last_op INTEGER NOT NULL DEFAULT 0,
      target_op INTEGER NOT NULL DEFAULT 0) STRICT;
    INSERT INTO ps_buckets VALUES (1, 'lists[]', 5, 9, 0), (2, '$local', 0, 0, 0);
    CREATE TABLE ps_oplog(bucket INTEGER NOT NULL, op_id INTEGER NOT NULL, row_type TEXT,
      row_id TEXT, key TEXT, data TEXT, hash INTEGER NOT NULL) STRICT;
    CREATE TABLE ps_updated_rows(row_type TEXT, row_id TEXT, PRIMARY KEY(row_type, row_id))
      STRICT, WITHOUT ROWID;
    CREATE TABLE ps_sync_state(priority INTEGER NOT NULL PRIMARY KEY, last_synced_at TEXT NOT NULL)
      STRICT;
    INSERT INTO ps_sync_state VALUES (2147483647, '2024-05-01 10:20:30');
    CREATE TABLE "ps_data__lists"(id TEXT PRIMARY KEY NOT NULL, data TEXT);
    CREATE VIEW "lists"("id", "name", "done", "price") AS SELECT id,
      CAST(json_extract(data, '$.name') as TEXT), CAST(json_extract(data, '$.done') as INTEGER),
      CAST(json_extract(data, '$.price') as REAL) FROM "ps_data__lists"
      -- powersync-auto-generated
    ;
    INSERT INTO "ps_data__lists" VALUES ('a', '{"name":"x","done":1,"price":1.5,"extra":[1]}'),
      ('b', '{"extra":"x","done":0}'), ('c', 'nonsense');
    INSERT INTO ps_crud (data, tx_id) VALUES
      ('{"op":"PUT","type":"lists","id":"a","data":{"name":"x"}}', 1),
      ('{"op":"PATCH","type":"lists","id":"a","data":{"done":1}}', 1),
      ('{"op":"DELETE","type":"lists","id":"b"}', NULL),
      ('{"op":"MERGE","type":"lists","id":"c"}', NULL), ('[]', 2);
    """

  static let couchbase = #"""
    PRAGMA user_version = 102;
    CREATE TABLE docs (doc_id INTEGER PRIMARY KEY, docid TEXT UNIQUE NOT NULL,
      expiry_timestamp INTEGER);
    CREATE TABLE revs (sequence INTEGER PRIMARY KEY AUTOINCREMENT, doc_id INTEGER NOT NULL,
      revid TEXT NOT NULL, parent INTEGER, current BOOLEAN, deleted BOOLEAN DEFAULT 0, json BLOB,
      no_attachments BOOLEAN, doc_type TEXT, UNIQUE (doc_id, revid));
    CREATE TABLE localdocs (docid TEXT UNIQUE NOT NULL, revid TEXT NOT NULL, json BLOB);
    CREATE TABLE views (view_id INTEGER PRIMARY KEY, name TEXT UNIQUE NOT NULL, version TEXT);
    CREATE TABLE info (key TEXT PRIMARY KEY, value TEXT);
    INSERT INTO docs (doc_id, docid) VALUES (2, 'task-u'), (3, 'task-d'), (4, 'task-n');
    INSERT INTO revs (sequence, doc_id, revid, parent, current, deleted, json) VALUES
      (2, 2, '1-3ea70da40edcda2d6046e43789848866', NULL, 0, 0,
        '{"complete":false,"price":2.5,"task":"update me","type":"task"}'),
      (3, 3, '1-4b934a04b2c4dbf679b2239411b040de', NULL, 0, 0,
        '{"complete":true,"price":3.0,"task":"delete me","type":"task"}'),
      (10, 4, '1-9f17c412d3006854d46dc761170d920d', NULL, 1, 0,
        '{"complete":false,"price":0.1,"task":"new \"item\"\nsecond line","type":"task"}'),
      (11, 2, '2-8ac23e6f3d569be314360b7493968c27', 2, 0, 0,
        '{"complete":true,"price":2.5,"task":"updated","type":"task"}'),
      (12, 2, '3-2f15814329905f9d5547f495c480a4a4', 11, 1, 0,
        '{"complete":true,"price":4.0,"task":"updated twice","type":"task"}'),
      (13, 3, '2-a239e07360762717794b33139aedf503', 3, 1, 1, '{}');
    INSERT INTO info VALUES ('checkpoint/186d759209bd052a599035c85fc42a156dae0119', '9'),
      ('cookies', 'never-shown');
    """#

  static let foreign = """
    CREATE TABLE notes (_id INTEGER PRIMARY KEY, id TEXT, version INTEGER, at DATETIME, x);
    INSERT INTO notes VALUES (10, 'a', 3, '2024-05-01', x'00ff'), (7, NULL, 0, NULL, NULL);
    CREATE TABLE words (word TEXT PRIMARY KEY, n INTEGER) WITHOUT ROWID;
    INSERT INTO words VALUES ('zebra', 1), ('ape', 2);
    """

  /// All of them, with the layout and generation that they are.
  static let all: [(sql: String, layout: String, generation: String?)] = [
    (dotnetA3, "azure-mobile-dotnet", "a3"), (dotnetB, "azure-mobile-dotnet", "b"),
    (datasync, "datasync-dotnet", nil), (android, "azure-mobile-android", "d3"),
    (cordova, "azure-mobile-cordova", nil), (toolkit, "datasync-toolkit", nil),
    (amplifyIOS, "amplify-datastore", "ios-3"),
    (amplifyAndroid, "amplify-datastore", "android-4"), (amplifyJS, "amplify-datastore", "js"),
    (parse, "parse-local-datastore", "android-2"),
    (couchbase, "couchbase-lite-1", "1.3"),
    (watermelon, "watermelondb", "w4"), (powerSync, "powersync", "9"),
    (foreign, "sqlite", nil),
  ]
}
