import Foundation

/// The facts about the process that a command runs in.
struct Context: Sendable {
    let console: Console
    let temporaryFiles: TemporaryFiles
    let environment: [String: String]

    /// The cache directory unless the command line names one: $XDG_CACHE_HOME/calotype, else ~/.cache/calotype.
    ///
    /// The XDG Base Directory Specification says to ignore a relative path in the variable.
    var defaultCacheDirectory: String {
        if let cache = environment["XDG_CACHE_HOME"], cache.hasPrefix("/") { return "\(cache)/calotype" }
        let home = environment["HOME"]?.nonEmpty ?? NSHomeDirectory()
        return "\(home)/.cache/calotype"
    }
}
