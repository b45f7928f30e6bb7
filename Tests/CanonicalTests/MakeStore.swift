import Bytes
import Canonical
import Records

/// Makes a canonical store with these tables and no rows.
func makeStore(
  at path: String, layout: String = "azure-mobile-dotnet", tables: [Table]
) throws {
  var writer = try CanonicalWriter(destination: path, replacing: false)
  try writer.begin(
    SourceDescription(name: "a.db", layout: Layout(named: layout), evidence: []),
    catalogue: Catalogue(tables: tables, nameOrigin: .schema), at: .epoch, toolVersion: "0")
  try writer.publish()
}
