import CalotypeBase
import Foundation

/// A file of settings: one `key = value` per line, where a key is the name of an option.
///
/// Empty lines and lines that begin with # have no effect.
struct SettingsFile {
    /// The maximum size in bytes: far above that of a file written by hand, and below that of a video named by mistake.
    private static let sizeLimit = 1 << 20

    let path: String
    /// Whether a missing file is an error. The default is `false`: it has no settings.
    var mustExist = false
    /// Whether the last line must end with a line feed, so that half a file is an error. The default is `false`.
    var mustEnd = false

    func values(of options: [Option]) throws(UsageError) -> [String: [GivenValue]] {
        guard mustExist || FileManager.default.fileExists(atPath: path) else { return [:] }
        let data: Data
        do throws(FileError) {
            data = try InputFile.read(LocalPath(text: path), limit: Self.sizeLimit)
        } catch {
            throw UsageError("\(path): \(error)")
        }
        guard !mustEnd || data.last == UInt8(ascii: "\n") else {
            throw UsageError("\(path): the last line has no line feed at its end, so the file may be incomplete")
        }
        var values: [String: [GivenValue]] = [:]
        // Some editors begin a file with a byte order mark.
        let text = data.starts(with: [0xEF, 0xBB, 0xBF]) ? data.dropFirst(3) : data
        let lines = String(decoding: text, as: UTF8.self).split(
            omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in lines.enumerated() {
            let line = line.trimmingCharacters(in: .whitespaces)
            if line.isEmpty || line.hasPrefix("#") { continue }
            let (option, value) = try setting(line, at: "\(path):\(index + 1)", options)
            let given = GivenValue(text: value, location: .file(path: path, line: index + 1))
            values[option.name, default: []].append(given)
        }
        return values
    }

    private func setting(
        _ line: String, at place: String, _ options: [Option]
    ) throws(UsageError) -> (Option, String) {
        let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces) }
        guard parts.count == 2, !parts[0].isEmpty else {
            throw UsageError("\(place): expected key = value")
        }
        guard let option = options.first(where: { $0.name == parts[0] }) else {
            let names = options.map(\.name)
            let hint = Suggestion.nearest(to: parts[0], among: names).map { "did you mean \($0)?" }
            throw UsageError(
                "\(place): unknown key '\(parts[0])'; \(hint ?? "expected one of \(names.joined(separator: ", "))")")
        }
        // The file that a value names has the word.
        if option.placeholder == nil, Bool(switch: parts[1]) == nil, !parts[1].hasPrefix("@") {
            throw UsageError("\(place): \(option.name) must be yes or no, not '\(parts[1])'")
        }
        return (option, parts[1])
    }
}
