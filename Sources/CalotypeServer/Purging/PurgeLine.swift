import CalotypeBase
import CalotypeHTTP
import CalotypeHTTPCache
import Foundation

/// A purge, and its line in the file of purges.
///
///     1f0c9a3b7d5e2468 1767225600.25 hard source https://example.com/cat.jpg
///
/// The first word is the beginning of the SHA-256 digest of the rest. A URL has all bytes percent-encoded but the
/// visible ones of ASCII without "%". A purge of all sources has the word "all" and no URL.
package struct PurgeLine: Hashable, Sendable {
    /// The time of the purge, in seconds since 1970.
    package let time: Double
    let target: PurgeTarget
    /// Whether the responses are absent, not only stale.
    package let isHard: Bool
    /// Whether a process has repeated the purge, because it had read the first line too late.
    let isRepeated: Bool
    /// The time after ``time`` that the purge covers, in seconds. The line's text does not have it.
    let reach: Double

    init(
        time: Double, _ target: PurgeTarget, isHard: Bool, isRepeated: Bool = false, reach: Double = Self.reach
    ) {
        (self.time, self.target, self.isHard, self.isRepeated) = (time, target, isHard, isRepeated)
        self.reach = reach
    }

    /// The time within which every process has read a new line, in seconds.
    static let reach = 1.0
    /// The difference between the clocks of two nodes, in seconds, that purges take into account.
    static let clockReach = 5.0

    /// The time until which requested responses are covered. A process that does not know the purge yet may still make
    /// results of the old source, so the times include ``reach``.
    var coveredUntil: Double { time + reach }

    var moments: PurgeMoments {
        isHard ? PurgeMoments(absent: coveredUntil) : PurgeMoments(stale: coveredUntil)
    }

    /// The longest line, in bytes.
    static let lengthLimit = 3 * PurgeTarget.lengthLimit + 100

    var text: Data {
        let mode = (isHard ? "hard" : "soft") + (isRepeated ? "-again" : "")
        let url = target.url.percentEncoded { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "%") }
        let rest: ByteString = "\(time) \(mode) \(target.kind.rawValue)\(url.isEmpty ? "" : " ")\(url)"
        return Data("\(Self.digest(of: rest)) \(rest)\n".utf8)
    }

    /// Reads a line without its line feed. Returns `nil` if it is damaged.
    init?(_ line: some Collection<UInt8>) {
        let parts = ByteString(bytes: line).split(separator: 0x20, maxSplits: 1)
        guard line.count <= Self.lengthLimit, parts.count == 2, parts[0] == ByteString(Self.digest(of: parts[1])) else {
            return nil
        }
        let words = parts[1].split(separator: 0x20)
        guard (3...4).contains(words.count), let time = Double(words[0].string), HTTPDate.years.contains(time),
            let mode = Self.modes[words[1]], let kind = PurgeTarget.Kind(rawValue: words[2].string),
            let url = words.count == 4 ? words[3].percentDecoded : "",
            let target = PurgeTarget(kind: kind, url: url)
        else { return nil }
        self.init(time: time, target, isHard: mode.isHard, isRepeated: mode.isRepeated)
    }

    private static let modes: [ByteString: (isHard: Bool, isRepeated: Bool)] = [
        "hard": (true, false), "soft": (false, false), "hard-again": (true, true), "soft-again": (false, true),
    ]

    private static func digest(of text: ByteString) -> String {
        String(text.withBytes { KeyDigest.hex(of: $0) }.prefix(16))
    }
}
