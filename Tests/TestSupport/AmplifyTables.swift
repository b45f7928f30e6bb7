/// The tables of Amplify DataStore beside those of an app's models.
package enum AmplifyTables {
  /// Those of the SDK for iOS.
  package static let ofIOS = """
    create table "ModelSyncMetadata" ("id" text primary key not null, "lastSync" integer,
      "syncPredicate" text);
    create table "MutationEvent" ("id" text primary key not null, "createdAt" text not null,
      "graphQLFilterJSON" text, "inProcess" integer not null, "json" text not null,
      "modelId" text not null, "modelName" text not null, "mutationType" text not null,
      "version" integer);
    create table "MutationSyncMetadata" ("id" text primary key not null, "deleted" integer
      not null, "lastChangedAt" integer not null, "version" integer not null);
    """

  /// Those of the SDK for JavaScript.
  package static let ofJavaScript = """
    CREATE TABLE "Setting" ("id" PRIMARY KEY NOT NULL, "key" TEXT NOT NULL, "value" TEXT NOT NULL);
    CREATE TABLE "MutationEvent" ("id" PRIMARY KEY NOT NULL, "model" TEXT NOT NULL,
      "data" TEXT NOT NULL, "modelId" TEXT NOT NULL, "operation" TEXT NOT NULL,
      "condition" TEXT NOT NULL);
    CREATE TABLE "ModelMetadata" ("id" PRIMARY KEY NOT NULL, "namespace" TEXT NOT NULL,
      "model" TEXT NOT NULL, "lastSync" INTEGER, "lastFullSync" INTEGER,
      "fullSyncInterval" INTEGER NOT NULL, "lastSyncPredicate" TEXT);
    """
}
