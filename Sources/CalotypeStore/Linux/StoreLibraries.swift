import CSQLite
import CXXHash

/// The C libraries of the store, for a diagnostic report.
package enum StoreLibraries {
    /// The names of the libraries and the versions loaded in this process.
    package static var versions: [(name: String, version: String)] {
        let hash = XXH_versionNumber()
        return [
            ("SQLite", String(cString: sqlite3_libversion())),
            ("xxHash", "\(hash / 10000).\(hash / 100 % 100).\(hash % 100)"),
        ]
    }
}
