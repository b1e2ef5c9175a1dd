import CSQLite
import CXXHash

/// The libraries that keep bytes, for a report on a machine.
package enum StoreLibraries {
    /// Each with the version that is loaded.
    package static var versions: [(name: String, version: String)] {
        let hash = XXH_versionNumber()
        return [
            ("SQLite", String(cString: sqlite3_libversion())),
            ("xxHash", "\(hash / 10000).\(hash / 100 % 100).\(hash % 100)"),
        ]
    }
}
