import Foundation

package struct Context: Sendable {
    package let console: Console
    package let temporaryFiles: TemporaryFiles
    package let environment: [String: String]
    package let hangups: Hangups

    package init(
        console: Console, temporaryFiles: TemporaryFiles, environment: [String: String], hangups: Hangups = Hangups()
    ) {
        (self.console, self.temporaryFiles) = (console, temporaryFiles)
        (self.environment, self.hangups) = (environment, hangups)
    }

    package var defaultCacheDirectory: String {
        "\(baseDirectory("XDG_CACHE_HOME") ?? "\(homeDirectory)/.cache")/calotype"
    }

    package var settingsPath: String {
        "\(baseDirectory("XDG_CONFIG_HOME") ?? "\(homeDirectory)/.config")/calotype/config"
    }

    package var homeDirectory: String { environment["HOME"]?.nonEmpty ?? NSHomeDirectory() }

    /// Returns the directory in an environment variable. The XDG specification requires to ignore relative paths.
    private func baseDirectory(_ name: String) -> String? {
        environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
}
