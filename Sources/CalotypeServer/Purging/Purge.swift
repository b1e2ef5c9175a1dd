import CalotypeBase
import CalotypeHTTP
import CalotypeHTTPCache
import Foundation

/// A purge, with the same identity in all stores, on all nodes and in the far store.
package struct Purge: Hashable, Sendable {
    let id: PurgeID
    let target: PurgeTarget
    /// Whether the responses are absent, not only stale.
    package let isHard: Bool
    /// The time at which this store took the purge, or the last of its processes learnt it, in seconds since 1970: until
    /// then, results may have been made without regard to it.
    var learnt: Double
    /// Whether this store owes the purge to the far store, which lacks it.
    var isOwed = false

    init(_ target: PurgeTarget, isHard: Bool, id: PurgeID, learnt: Double) {
        (self.target, self.isHard, self.id, self.learnt) = (target, isHard, id, learnt)
    }

    /// Creates a purge of now.
    init(_ target: PurgeTarget, isHard: Bool, at now: Double) {
        self.init(target, isHard: isHard, id: PurgeID(time: now), learnt: now)
    }

    /// The time within which every process of a store has read a new purge, in seconds.
    static let reach = 1.0
    /// The difference between the clocks of two nodes, in seconds, that purges take into account.
    static let clockReach = 5.0
    /// The time by which a purge may reach a node late, in seconds: the clock of its node may be, and its object, too.
    static let lateness = 60.0

    /// The time until which requested responses of this store are covered, in seconds since 1970. Another process may still
    /// make results of the old source, so it includes ``reach``.
    var nearUntil: Double { learnt + Self.reach }
    /// The time until which results of the far store are covered. A purge from the future covers a minute more than one of
    /// now: this store's clock may have been behind.
    var farUntil: Double { min(id.time, learnt + Self.lateness) + Self.clockReach }

    // MARK: Text

    /// The longest text, in bytes.
    static let lengthLimit = 3 * PurgeTarget.lengthLimit + 100

    /// The purge as an object of the far store, and for other nodes: a line.
    ///
    ///     1f0c9a3b7d5e2468 1767225600.25 hard source https://example.com/cat.jpg
    ///
    /// The first word is the beginning of the SHA-256 digest of the rest. A URL has all bytes percent-encoded but the
    /// visible ones of ASCII without "%". A purge of all sources has the word "all" and no URL.
    var text: ByteString {
        let url = target.url.percentEncoded { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "%") }
        let mode = isHard ? "hard" : "soft"
        let rest: ByteString = "\(id.time) \(mode) \(target.kind.rawValue)\(url.isEmpty ? "" : " ")\(url)"
        return "\(Self.digest(of: rest)) \(rest)"
    }

    /// Reads the line of the purge with an identity. Returns `nil` if it is damaged.
    init?(_ line: some Collection<UInt8>, id: PurgeID, learnt: Double) {
        let parts = ByteString(bytes: line).split(separator: 0x20, maxSplits: 1)
        guard line.count <= Self.lengthLimit, parts.count == 2, parts[0] == Self.digest(of: parts[1]) else {
            return nil
        }
        let words = parts[1].split(separator: 0x20)
        // The name of an object has its time in milliseconds.
        guard (3...4).contains(words.count), let time = Double(words[0].string), abs(time - id.time) < 0.01,
            let isHard = Self.modes[words[1]], let kind = PurgeTarget.Kind(rawValue: words[2].string),
            let url = words.count == 4 ? words[3].percentDecoded : "",
            let target = PurgeTarget(kind: kind, url: url)
        else { return nil }
        self.init(target, isHard: isHard, id: id, learnt: learnt)
    }

    /// Version 0.1 repeated purges, with another word.
    private static let modes: [ByteString: Bool] = [
        "hard": true, "soft": false, "hard-again": true, "soft-again": false,
    ]

    static func digest(of text: ByteString) -> ByteString {
        ByteString(String(text.withBytes { KeyDigest.hex(of: $0) }.prefix(16)))
    }
}

/// The identity of a purge: its time in milliseconds since 1970, and a random number.
///
///     1767225600250-1f0c9a3b7d5e2468
///
/// The order of the texts, which are the names of objects in the far store, is that of the times.
struct PurgeID: Hashable, Sendable {
    private let milliseconds: Int
    private let number: UInt64

    init(time: Double, number: UInt64 = .random(in: 0 ... .max)) {
        (milliseconds, self.number) = (Self.milliseconds(at: time), number)
    }

    /// Reads an identity. Returns `nil` for another text.
    init?(_ text: ByteString) {
        let parts = text.split(separator: UInt8(ascii: "-"))
        guard parts.count == 2, parts[0].count == Self.digits, let milliseconds = parts[0].asDigits,
            parts[1].count == 16,
            parts[1].withBytes({ $0.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) } }),
            let number = UInt64(parts[1].string, radix: 16)
        else { return nil }
        (self.milliseconds, self.number) = (milliseconds, number)
    }

    /// The time of the purge, in seconds since 1970.
    var time: Double { Double(milliseconds) / 1000 }

    var text: ByteString {
        let digits = String(number, radix: 16)
        return "\(Self.beginning(milliseconds))-\(String(repeating: "0", count: 16 - digits.count))\(digits)"
    }

    /// The beginning of the texts from a time on.
    static func beginning(at time: Double) -> ByteString { beginning(milliseconds(at: time)) }

    private static func beginning(_ milliseconds: Int) -> ByteString {
        let text = String(milliseconds)
        return "\(String(repeating: "0", count: digits - text.count))\(text)"
    }

    private static func milliseconds(at time: Double) -> Int {
        min(max(Int(saturating: time * 1000), 0), 9_999_999_999_999)
    }

    /// Enough for the times until the year 2286.
    private static let digits = 13
}
