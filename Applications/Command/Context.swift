import Foundation

/// The facts about the process that a command runs in.
struct Context: Sendable {
    let console: Console
    let temporaryFiles: TemporaryFiles
    let environment: [String: String]

    /// The cache directory unless the command line or a setting names one: $XDG_CACHE_HOME/calotype, else
    /// ~/.cache/calotype.
    var defaultCacheDirectory: String { "\(baseDirectory("XDG_CACHE_HOME") ?? "\(homeDirectory)/.cache")/calotype" }

    /// The configuration file: $XDG_CONFIG_HOME/calotype/config, else ~/.config/calotype/config.
    var settingsPath: String { "\(baseDirectory("XDG_CONFIG_HOME") ?? "\(homeDirectory)/.config")/calotype/config" }

    var homeDirectory: String { environment["HOME"]?.nonEmpty ?? NSHomeDirectory() }

    /// The XDG Base Directory Specification says to ignore a relative path in its variables.
    private func baseDirectory(_ name: String) -> String? {
        environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
}
