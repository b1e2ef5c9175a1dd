import CalotypeTesting
package import Foundation

/// Random requests to `calotype serve`, below, at and above its limits. Each answer is checked whole: its length, its bytes.
///
/// A client that reads is never cut; one that has sent a part of a request may be. What has no room waits, or is a 503.
package final class ServeMix {
    /// An answer that is not what the request asks for.
    package struct Wrong: Sendable, CustomStringConvertible {
        package let description: String
    }

    package private(set) var wrong: [Wrong] = []
    package private(set) var statuses: [Int: Int] = [:]
    package private(set) var operations = 0
    private let crowd: ClientCrowd
    private let seed: UInt64
    private let signed: (String) -> String
    private var random: SplitMix
    private var known: [String: ReceivedAnswer] = [:]
    /// The results that were drawn from a bitmap for several sizes, by their path and the bitmap.
    private var together: [String: Data] = [:]
    private var buster = 0

    private static let widths = [10, 40, 90, 160]
    private static let large = SamplePhotos.jpeg(width: 64, height: 48) + Data(count: 600_000)

    /// - Parameters:
    ///   - port: The port of a server whose root has the files that ``writeFiles(_:)`` writes.
    ///   - signed: Returns the target of a request for a path.
    package init(port: Int, seed: UInt64, signed: @escaping (String) -> String = { "/_\($0)" }) {
        self.signed = signed
        crowd = ClientCrowd(port: port)
        self.seed = seed
        random = SplitMix(seed: seed)
    }

    /// Writes the sources, good ones and damaged ones.
    package static func writeFiles(_ write: (Data, String) throws -> Void) throws {
        for (name, data) in good { try write(data, name) }
        try write(large, "large.jpg")
        let photo = SamplePhotos.jpeg(width: 320, height: 240)
        try write(photo.prefix(photo.count / 2), "cut.jpg")
        try write(Data("no image".utf8), "text.jpg")
        try write(Data(), "empty.jpg")
    }

    private static var good: [(name: String, data: Data)] {
        [
            ("a.jpg", SamplePhotos.jpeg(width: 320, height: 240)), ("b.png", SamplePhotos.png(width: 200, height: 150)),
            ("c.jpg", SamplePhotos.jpeg(width: 640, height: 480, seed: 2)),
        ]
    }

    // MARK: Running

    /// Asks for each result once, so that later answers can be compared.
    package func learn() throws {
        for path in Self.paths {
            try crowd.start(script(path)) { [self] ending in
                if case .whole(let answer) = ending, answer.status == 200 {
                    known[path] = answer
                } else {
                    note("the first answer to \(path)", ending)
                }
            }
            try crowd.run(until: 0)
        }
        if known[Self.largePath]?.body != Self.large {
            wrong.append(Wrong(description: "the large source is not itself"))
        }
    }

    /// Sends a number of requests, of which at most `clients` wait at once, and waits for all answers.
    package func run(_ count: Int, clients: Int) throws {
        for _ in 0..<count {
            try crowd.run(until: clients - 1)
            operations += 1
            try startOne()
        }
        try crowd.run(until: 0)
        crowd.dismissSilent()
    }

    private static let largePath = "raw:1/plain/local:///large.jpg"
    private static let paths =
        good.flatMap { source in widths.map { "w:\($0)/plain/local:///\(source.name)@png" } } + [largePath]

    private func script(_ path: String, method: String = "GET", _ lines: [String] = []) -> ClientScript {
        let head = ["\(method) \(signed("/\(path)")) HTTP/1.1", "Host: a"] + lines
        return ClientScript(head.joined(separator: "\r\n") + "\r\n\r\n")
    }

    // MARK: Operations

    private func startOne() throws {
        switch random.number(below: 100) {
        case 0..<30: try good(pick())
        case 30..<45: try made()
        case 45..<60: try good(Self.largePath)
        case 60..<68: try failing("w:10/cb:\(random.number(below: 4))/plain/local:///\(damaged())@png", 422)
        case 68..<71: try failing("w:10/plain/local:///none-\(random.number(below: 9)).jpg", 404)
        case 71..<74: try failing("w:x/plain/local:///a.jpg", 400)
        case 74..<77: try head()
        case 77..<80: try condition()
        case 80..<84: try part()
        case 84..<94: try leaving()
        default: try silent()
        }
    }

    private func pick() -> String { Self.paths[random.number(below: Self.paths.count)] }
    private func damaged() -> String { ["cut.jpg", "text.jpg", "empty.jpg"][random.number(below: 3)] }

    /// Reads at full speed, in pieces, or in crumbs.
    private func pace() -> Int { [64 << 10, 64 << 10, 16 << 10, 4 << 10][random.number(below: 4)] }

    private func good(_ path: String) throws {
        var script = script(path, random.number(below: 2) == 0 ? ["Connection: close"] : [])
        script.pace = pace()
        try start(script, 200) { [self] answer in answer.body == known[path]?.body }
    }

    /// Another URL for the same bytes, which the server has to make.
    private func made() throws {
        buster += 1
        let path = Self.paths[random.number(below: Self.paths.count - 1)]
        try start(script("cb:\(seed)-\(buster)/\(path)"), 200) { [self] answer in
            answer.body == known[path]?.body || isTogether(answer, path)
        }
    }

    /// Whether the answer is the result of a path from a bitmap for several sizes, which its tag names. From an equal bitmap,
    /// its bytes are equal.
    private func isTogether(_ answer: ReceivedAnswer, _ path: String) -> Bool {
        let parts = (answer.field("etag") ?? "").split(separator: "-")
        // Signature, width and height of a PNG, and its last chunk.
        guard parts.count == 2, let alone = known[path]?.body, answer.body.prefix(24) == alone.prefix(24),
            answer.body.suffix(12) == alone.suffix(12)
        else { return false }
        let place = "\(path) \(parts[1])"
        let first = together[place] ?? answer.body
        together[place] = first
        return first == answer.body
    }

    private func failing(_ path: String, _ status: Int) throws {
        try start(script(path), status) { !$0.body.isEmpty }
    }

    private func head() throws {
        let path = pick()
        var script = script(path, method: "HEAD")
        script.isHead = true
        try start(script, 200) { [self] in
            $0.field("content-length") == known[path].map { "\($0.body.count)" }
                && $0.field("etag") == known[path]?.field("etag")
        }
    }

    private func condition() throws {
        let path = pick()
        let tag = known[path]?.field("etag") ?? ""
        try start(script(path, ["If-None-Match: \(tag)"]), 304) { $0.field("etag") == tag }
    }

    private func part() throws {
        let path = pick()
        let whole = known[path]?.body ?? Data()
        let start = random.number(below: max(whole.count, 1))
        var script = script(path, ["Range: bytes=\(start)-"])
        script.pace = pace()
        try self.start(script, 206) { $0.body == whole.dropFirst(start) }
    }

    private func leaving() throws {
        buster += 1
        let isNew = random.number(below: 2) == 0
        let path = pick()
        var script = script(isNew && path != Self.largePath ? "cb:\(seed)-\(buster)/\(path)" : path)
        script.leavesAfter = random.number(below: 3) == 0 ? 1 : random.number(below: 200_000)
        // An answer that is shorter is whole.
        try crowd.start(script) { [self] ending in
            if case .cut = ending { note("an answer that its client leaves", ending) }
        }
    }

    private func silent() throws {
        let halves = [
            "G", "GET /_/w:10/plain/local:///a.jpg HTTP/1.1\r\nHo",
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc", "",
        ]
        var script = ClientScript(halves[random.number(below: halves.count)])
        script.isSilent = true
        try crowd.start(script)
    }

    // MARK: Judging

    private func start(
        _ script: ClientScript, _ status: Int, isRight: @escaping (ReceivedAnswer) -> Bool
    ) throws {
        try crowd.start(script) { [self] ending in
            // The queue may be full for each of them.
            guard case .whole(let answer) = ending,
                answer.status == status ? isRight(answer) : answer.status == 503 && answer.field("retry-after") != nil
            else { return note("\(script.request.prefix { $0 != "\r\n" }) should be \(status)", ending) }
            statuses[answer.status, default: 0] += 1
        }
    }

    private func note(_ wanted: String, _ ending: ClientCrowd.Ending) {
        let found =
            switch ending {
            case .whole(let answer): "\(answer.status) with \(answer.body.count) bytes"
            case .cut(let answer): "cut after \(answer.bytes.count) bytes, status \(answer.status)"
            case .left: "nothing"
            }
        wrong.append(Wrong(description: "\(wanted): \(found)"))
    }
}
