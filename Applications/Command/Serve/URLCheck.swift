import CalotypeBase
import CalotypeServer
import CalotypeURLs
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
        var differences: [String: (count: Int, example: ByteString)] = [:]
        var (count, failed) = (0, 0)
        var skipped: [ByteString] = []
        for line in ByteString(bytes: text).split(separator: 0x0A) where !line.trimmed.isEmpty {
            let target: ByteString
            switch Entry(line) {
            case .target(let found): target = found
            case .repetition: continue
            case .other:
                skipped.append(line)
                continue
            }
            count += 1
            do throws(RenditionError) {
                for name in try options.checkMeans(for: target) {
                    differences["differs: option \(name)", default: (0, target)].count += 1
                }
            } catch {
                failed += 1
                let reason = error.option.map { "option \($0)" } ?? error.message
                failures[reason, default: (0, target)].count += 1
            }
        }
        for reasons in [failures, differences] {
            for (reason, found) in reasons.sorted(by: { ($1.value.count, $0.key) < ($0.value.count, $1.key) }) {
                console.line("\(found.count)\t\(reason)\t\(found.example)")
            }
        }
        if let first = skipped.first {
            console.line("\(skipped.count)\tlines without a URL, skipped\t\(String(first.string.prefix(200)))")
        }
        guard count > 0 else {
            console.complain("--check \(path): no URL found in it")
            return .usage
        }
        console.line("\(failed) of \(count) URLs would fail")
        return failed == 0 ? .success : .failure
    }

    /// One line of a list or a log.
    enum Entry: Hashable {
        case target(ByteString)
        /// The line of imgproxy's log for the start of a request, whose end has a line with the same URL.
        case repetition
        case other

        init(_ line: ByteString) {
            let words = line.words
            let targets = words.indices.filter { words[$0].requestTarget != nil }
            // A line may have other URLs as well, such as that of the page which shows the image.
            let best = targets.first { words[$0].requestTarget?.namesOptionOrPlainSource == true } ?? targets.first
            guard let best, let target = words[best].requestTarget else {
                self = .other
                return
            }
            self = best > 0 && words[best - 1] == "Started" ? .repetition : .target(target)
        }
    }
}

extension ByteString {
    /// The parts between blanks and double quotes, without the escapes of JSON that URLs have in logs.
    fileprivate var words: [ByteString] {
        let escapes = [("\\/", "/"), ("\\u0026", "&"), ("\\\"", "\"")].map { (Array($0.utf8), Array($1.utf8)) }
        let plain = escapes.reduce(bytes) { $0.contains(UInt8(ascii: "\\")) ? $0.replacing($1.0, with: $1.1) : $0 }
        return plain.split { [0x20, 0x09, 0x0D, UInt8(ascii: "\"")].contains($0) }
            .map { ByteString(bytes: $0) }
    }

    /// The path of a URL, with its query and without its scheme and host; `nil` if the text is no URL with two parts,
    /// the signature and the rest.
    fileprivate var requestTarget: ByteString? {
        var target = self
        if hasPrefix("http://") || hasPrefix("https://") {
            let parts = split(separator: UInt8(ascii: "/"), maxSplits: 3)
            guard parts.count == 4 else { return nil }
            target = "/\(parts[3])"
        }
        let parts = target.split(separator: UInt8(ascii: "/"), maxSplits: 2)
        return parts.count == 3 && parts[0].isEmpty && !parts[1].isEmpty && !parts[2].isEmpty ? target : nil
    }

    /// Whether the text has the word "plain" or an option as one of its parts.
    fileprivate var namesOptionOrPlainSource: Bool {
        split(separator: UInt8(ascii: "/")).contains { $0 == "plain" || $0.contains(UInt8(ascii: ":")) }
    }
}
