package import CalotypeBase

/// Changes of the URLs of sources, as a path has them: beginnings that are replaced, then a base in front of the rest.
package struct SourceRewriting: Hashable, Sendable {
    private var replacements: [Replacement] = []
    /// The text in front of each URL that does not begin with it already. Empty by default.
    package var base: ByteString = ""

    package init() {}

    /// Adds a replacement, from a text such as `mys3://*/=s3://bucket/${1}/images`. A `*` in the pattern stands for any bytes
    /// but slashes, and `${1}` in the replacement for those of the first one.
    ///
    /// - Throws: 400 if the pattern is empty, or the replacement names a `*` that the pattern lacks.
    package mutating func add(_ text: ByteString) throws(RenditionError) {
        replacements.append(try Replacement(text))
    }

    func rewritten(_ url: ByteString) -> ByteString {
        let url = replacements.reduce(url) { $1.applied(to: $0) }
        return base.isEmpty || url.hasPrefix(base) ? url : "\(base)\(url)"
    }
}

/// One beginning of URLs, and the text in its place.
private struct Replacement: Hashable, Sendable {
    /// The texts between the `*` of the pattern.
    private let literals: [[UInt8]]
    /// The texts between the places of the replacement, each with the number of the `*` behind it.
    private var pieces: [(text: ByteString, wildcard: Int)] { zip(texts, wildcards).map { ($0, $1) } }
    private let texts: [ByteString]
    private let wildcards: [Int]
    private let end: ByteString

    init(_ text: ByteString) throws(RenditionError) {
        let sides = text.split(separator: UInt8(ascii: "="), maxSplits: 1)
        guard sides.count == 2, !sides[0].isEmpty else {
            throw .malformed("\(text.quoted) is not PATTERN=REPLACEMENT, such as old://*/=https://example.com/${1}/")
        }
        literals = sides[0].split(separator: UInt8(ascii: "*")).map(\.bytes)
        var (texts, wildcards): ([ByteString], [Int]) = ([], [])
        var rest = sides[1]
        while let place = rest.bytes.firstRange(of: Array("${".utf8)) {
            let behind = rest.dropFirst(place.upperBound).split(separator: UInt8(ascii: "}"), maxSplits: 1)
            guard behind.count == 2, let number = behind[0].asDigits, (1..<literals.count).contains(number) else {
                throw .malformed("\(text.quoted): ${N} is the N-th * of the pattern, which has \(literals.count - 1)")
            }
            texts.append(ByteString(bytes: rest.bytes[..<place.lowerBound]))
            wildcards.append(number)
            rest = behind[1]
        }
        (self.texts, self.wildcards, end) = (texts, wildcards, rest)
    }

    func applied(to url: ByteString) -> ByteString {
        var match = WildcardMatch(literals: literals, text: url.bytes)
        guard let found = match.ends() else { return url }
        var result: ByteString = ""
        for piece in pieces {
            result.append(piece.text)
            result.append(ByteString(bytes: match.text[found[piece.wildcard - 1]]))
        }
        result.append(end)
        let rest = match.text[found[found.count - 1].upperBound...].dropFirst(literals[literals.count - 1].count)
        result.append(ByteString(bytes: rest))
        return result
    }
}

/// A search for a pattern at the start of a text. It notes where no match begins, so that hostile texts take no longer.
private struct WildcardMatch {
    let literals: [[UInt8]]
    let text: [UInt8]
    private var dead: Set<Int> = []

    init(literals: [[UInt8]], text: [UInt8]) { (self.literals, self.text) = (literals, text) }

    /// Returns the part for each `*`, and an empty one at the start if the pattern has none; `nil` without a match.
    mutating func ends() -> [Range<Int>]? {
        guard text.starts(with: literals[0]) else { return nil }
        guard literals.count > 1 else { return [0..<0] }
        return parts(from: 1, at: literals[0].count)
    }

    /// The longest part counts that leaves a match for the rest.
    private mutating func parts(from index: Int, at start: Int) -> [Range<Int>]? {
        let name = index * (text.count + 1) + start
        guard !dead.contains(name) else { return nil }
        let longest = text[start...].firstIndex(of: UInt8(ascii: "/")) ?? text.count
        for end in stride(from: longest, through: start, by: -1) where text[end...].starts(with: literals[index]) {
            guard index + 1 < literals.count else { return [start..<end] }
            if let rest = parts(from: index + 1, at: end + literals[index].count) { return [start..<end] + rest }
        }
        dead.insert(name)
        return nil
    }
}
