package import Foundation

/// The settings that the gallery keeps between starts.
package struct GallerySettings: Codable, Hashable, Sendable {
    package static let columnRange = 2...8
    private static let recentLimit = 8

    /// The address or path of the location that was open last; `nil` if no location has been opened yet.
    package var place: String?
    /// The addresses and paths opened before, the latest first. At most 8.
    package private(set) var recent: [String] = []
    /// The chosen number of columns, or `nil` for as many as the width of the window suggests.
    package var columns: Int?
    package var grouping = GalleryGrouping.folder
    package var theme = GalleryTheme.system
    package var width = 1100
    package var height = 760
    package var isMaximized = false

    package init() {}

    package mutating func visit(_ place: String) {
        self.place = place
        recent.removeAll { $0 == place }
        recent.insert(place, at: 0)
        recent.removeLast(max(recent.count - GallerySettings.recentLimit, 0))
    }

    /// Decodes settings. Replaces each missing or invalid value with its default.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        func value<Value: Decodable>(_ key: CodingKeys, _ standard: Value) -> Value {
            (try? values.decodeIfPresent(Value.self, forKey: key)) ?? standard
        }
        place = value(.place, nil as String?)
        recent = Array(value(.recent, recent).prefix(GallerySettings.recentLimit))
        let range = GallerySettings.columnRange
        columns = value(.columns, columns).map { min(max($0, range.lowerBound), range.upperBound) }
        grouping = value(.grouping, grouping)
        theme = value(.theme, theme)
        width = min(max(value(.width, width), 360), 16_384)
        height = min(max(value(.height, height), 300), 16_384)
        isMaximized = value(.isMaximized, isMaximized)
    }
}

/// The grouping of the grid's images into sections.
package enum GalleryGrouping: String, Codable, Sendable, CaseIterable {
    case nothing, folder, date
}

package enum GalleryTheme: String, Codable, Sendable, CaseIterable {
    case system, light, dark
}

/// The file of the settings.
///
/// The main thread reads the file before it opens the window, and writes the file when the window closes. The file has
/// about a kilobyte.
package struct GallerySettingsFile: Sendable {
    private let url: URL

    /// - Parameter directory: If `nil` (the default), `calotype` in the user's configuration directory
    ///   (`XDG_CONFIG_HOME`, or `.config`).
    package init(directory: URL? = nil) {
        url = (directory ?? GallerySettingsFile.userDirectory).appending(path: "gallery.json")
    }

    /// Returns the settings, or the defaults if the file is missing or damaged.
    package func read() -> GallerySettings {
        guard let data = try? Data(contentsOf: url) else { return GallerySettings() }
        return (try? JSONDecoder().decode(GallerySettings.self, from: data)) ?? GallerySettings()
    }

    /// Replaces the file. If the write fails, the new settings are lost.
    package func write(_ settings: GallerySettings) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let directory = url.deletingLastPathComponent()
        try? FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        try? encoder.encode(settings).write(to: url, options: .atomic)
    }

    private static var userDirectory: URL {
        let environment = ProcessInfo.processInfo.environment
        let home = FileManager.default.homeDirectoryForCurrentUser
        // The XDG Base Directory Specification requires programs to ignore a relative path.
        let configured = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? URL(fileURLWithPath: $0) : nil }
        return (configured ?? home.appending(path: ".config")).appending(path: "calotype")
    }
}
