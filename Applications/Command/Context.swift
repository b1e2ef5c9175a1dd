import Foundation

struct Context: Sendable {
    let console: Console
    let temporaryFiles: TemporaryFiles
    let environment: [String: String]
    var hangups = Hangups()

    var defaultCacheDirectory: String { "\(baseDirectory("XDG_CACHE_HOME") ?? "\(homeDirectory)/.cache")/calotype" }

    var settingsPath: String { "\(baseDirectory("XDG_CONFIG_HOME") ?? "\(homeDirectory)/.config")/calotype/config" }

    var homeDirectory: String { environment["HOME"]?.nonEmpty ?? NSHomeDirectory() }

    /// Returns the directory in an environment variable. The XDG specification requires to ignore relative paths.
    private func baseDirectory(_ name: String) -> String? {
        environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
}
