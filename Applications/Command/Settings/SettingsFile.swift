import CalotypeBase
import Foundation

/// The configuration file: one `key = value` per line, where a key is the name of an option.
///
/// Empty lines and lines that begin with # have no effect.
enum SettingsFile {
    /// The maximum size in bytes: far above that of a file written by hand, and below that of a video named by mistake.
    private static let sizeLimit = 1 << 20

    static func values(at path: String, _ options: [Option]) throws(UsageError) -> [String: [GivenValue]] {
        guard FileManager.default.fileExists(atPath: path) else { return [:] }
        let data: Data
        do throws(FileError) {
            data = try InputFile.read(LocalPath(text: path), limit: sizeLimit)
        } catch {
            throw UsageError("\(path): \(error)")
        }
        var values: [String: [GivenValue]] = [:]
        let lines = String(decoding: data, as: UTF8.self).split(
            omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in lines.enumerated() {
            let line = line.trimmingCharacters(in: .whitespaces)
            if line.isEmpty || line.hasPrefix("#") { continue }
            let (option, value) = try SettingsFile.setting(line, at: "\(path):\(index + 1)", options)
            let given = GivenValue(text: value, location: .file(path: path, line: index + 1))
            values[option.name, default: []].append(given)
        }
        return values
    }

    private static func setting(
        _ line: String, at place: String, _ options: [Option]
    ) throws(UsageError) -> (Option, String) {
        let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces) }
        guard parts.count == 2, !parts[0].isEmpty else {
            throw UsageError("\(place): expected key = value, such as timeout = 30")
        }
        guard let option = options.first(where: { $0.name == parts[0] }) else {
            let names = options.map(\.name)
            let hint = Suggestion.nearest(to: parts[0], among: names).map { "did you mean \($0)?" }
            throw UsageError(
                "\(place): unknown key '\(parts[0])'; \(hint ?? "expected one of \(names.joined(separator: ", "))")")
        }
        if option.placeholder == nil, Bool(switch: parts[1]) == nil {
            throw UsageError("\(place): \(option.name) must be yes or no, not '\(parts[1])'")
        }
        return (option, parts[1])
    }
}
