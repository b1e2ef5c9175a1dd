import CalotypeBase
import CalotypeServer
import Foundation

/// A check that finds, in a list or an access log, the URLs that a server would refuse.
struct URLCheck {
    /// The maximum size of the list or log, in bytes.
    private static let sizeLimit = 1 << 30

    let options: RenditionServer.Options

    func run(_ path: LocalPath, _ console: Console) -> ExitStatus {
        let text: Data
        do throws(FileError) { text = try InputFile.read(path, limit: Self.sizeLimit) } catch {
            console.complain("--check \(path): \(error)")
            return .usage
        }
        var failures: [String: (count: Int, example: ByteString)] = [:]
        var (count, failed) = (0, 0)
        for line in ByteString(bytes: text).split(separator: 0x0A) {
            guard let target = Self.target(in: line) else { continue }
            count += 1
            do throws(RenditionError) { try options.check(target) } catch {
                failed += 1
                let reason = error.option.map { "option \($0)" } ?? error.message
                failures[reason, default: (0, target)].count += 1
            }
        }
        for (reason, failure) in failures.sorted(by: { ($1.value.count, $0.key) < ($0.value.count, $1.key) }) {
            console.line("\(failure.count)\t\(reason)\t\(failure.example)")
        }
        console.line("\(failed) of \(count) URLs would fail")
        return failed == 0 ? .success : .failure
    }

    /// Returns the request target of a line: that of a request in quotes, as access logs have it, or else the first
    /// word with a slash, without its scheme and host.
    static func target(in line: ByteString) -> ByteString? {
        let quoted = line.split(separator: UInt8(ascii: "\"")).dropFirst().first
        let words = (quoted ?? line).split(separator: UInt8(ascii: " ")).map(\.trimmed)
        guard let word = words.first(where: { $0.contains(UInt8(ascii: "/")) }) else { return nil }
        guard word.hasPrefix("http://") || word.hasPrefix("https://") else { return word.hasPrefix("/") ? word : nil }
        let parts = word.split(separator: UInt8(ascii: "/"), maxSplits: 3)
        return parts.count == 4 ? "/\(parts[3])" : nil
    }
}
