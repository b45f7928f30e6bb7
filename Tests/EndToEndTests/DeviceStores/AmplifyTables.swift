/// The tables of Amplify DataStore beside those of an app's models.
enum AmplifyTables {
  /// Those of the SDK for iOS.
  static let ofIOS = """
    create table "ModelSyncMetadata" ("id" text primary key not null, "lastSync" integer,
      "syncPredicate" text);
    create table "MutationEvent" ("id" text primary key not null, "createdAt" text not null,
      "graphQLFilterJSON" text, "inProcess" integer not null, "json" text not null,
      "modelId" text not null, "modelName" text not null, "mutationType" text not null,
      "version" integer);
    create table "MutationSyncMetadata" ("id" text primary key not null, "deleted" integer
      not null, "lastChangedAt" integer not null, "version" integer not null);
    """
}
