import Foundation

/// The console, the temporary files and the environment of the process.
struct Context: Sendable {
    let console: Console
    let temporaryFiles: TemporaryFiles
    let environment: [String: String]

    /// The default cache directory: $XDG_CACHE_HOME/calotype, or ~/.cache/calotype.
    var defaultCacheDirectory: String { "\(baseDirectory("XDG_CACHE_HOME") ?? "\(homeDirectory)/.cache")/calotype" }

    /// The configuration file: $XDG_CONFIG_HOME/calotype/config, or ~/.config/calotype/config.
    var settingsPath: String { "\(baseDirectory("XDG_CONFIG_HOME") ?? "\(homeDirectory)/.config")/calotype/config" }

    var homeDirectory: String { environment["HOME"]?.nonEmpty ?? NSHomeDirectory() }

    /// Returns the directory in an environment variable; `nil` if it is not set, or relative: the XDG Base Directory
    /// Specification requires programs to ignore relative paths.
    private func baseDirectory(_ name: String) -> String? {
        environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
}
