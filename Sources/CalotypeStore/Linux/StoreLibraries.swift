import CSQLite
import CXXHash

/// The store's libraries, for a diagnostic report.
package enum StoreLibraries {
    /// The libraries with their loaded versions.
    package static var versions: [(name: String, version: String)] {
        let hash = XXH_versionNumber()
        return [
            ("SQLite", String(cString: sqlite3_libversion())),
            ("xxHash", "\(hash / 10000).\(hash / 100 % 100).\(hash % 100)"),
        ]
    }
}
