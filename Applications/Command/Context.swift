import Foundation

/// The parts of the process that a command uses.
struct Context: Sendable {
    let console: Console
    let temporaryFiles: TemporaryFiles
    let environment: [String: String]

    /// The cache directory unless the command line or a setting names one: $XDG_CACHE_HOME/calotype, or
    /// ~/.cache/calotype.
    var defaultCacheDirectory: String { "\(baseDirectory("XDG_CACHE_HOME") ?? "\(homeDirectory)/.cache")/calotype" }

    /// The configuration file: $XDG_CONFIG_HOME/calotype/config, or ~/.config/calotype/config.
    var settingsPath: String { "\(baseDirectory("XDG_CONFIG_HOME") ?? "\(homeDirectory)/.config")/calotype/config" }

    var homeDirectory: String { environment["HOME"]?.nonEmpty ?? NSHomeDirectory() }

    /// Ignores relative paths, as the XDG Base Directory Specification requires.
    private func baseDirectory(_ name: String) -> String? {
        environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
}
