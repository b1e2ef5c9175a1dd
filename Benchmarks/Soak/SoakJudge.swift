import CalotypeBase
import CalotypeCodecs
import CalotypeHTTP
import CalotypeHTTPCache
import Foundation

/// Decides whether answers are right, and counts them.
final class SoakJudge: Sendable {
    struct Tally {
        var statuses: [Int: Int] = [:]
        /// The statuses that a request of its kind must not get, with an example each.
        var unexpected: [String: (count: Int, url: String)] = [:]
        var wrong: [String] = []
        var wrongCount = 0
        /// The answers that did not arrive, although the server ran all the time.
        var lost = 0
        /// The answers that did not arrive because the server was killed.
        var killed = 0
    }

    private struct State {
        var tally = Tally()
        /// The bodies that have been read, by URL and entity tag.
        var known: [String: (digest: String, version: Int)] = [:]
        /// The last body of URLs that are requested often.
        var bodies: [String: (tag: ByteString, body: Data)] = [:]
    }

    /// The image that a request asks for, and the oldest version that it may get.
    struct Image: Sendable {
        let source: Int
        let width: Int
        let oldest: Int
    }

    private static let knownLimit = 50_000
    private let sources: SoakSources
    private let folder: String
    private let state = Locked(State())

    /// - Parameter folder: The directory for the first wrong bodies.
    init(_ sources: SoakSources, folder: String) { (self.sources, self.folder) = (sources, folder) }

    var tally: Tally { state.withLock { $0.tally } }

    /// Returns the entity tag and the length of the last body of a URL.
    func known(_ url: String) -> (tag: ByteString, count: Int)? {
        state.withLock { $0.bodies[url].map { ($0.tag, $0.body.count) } }
    }

    func note(lost isLost: Bool) {
        state.withLock { if isLost { $0.tally.lost += 1 } else { $0.tally.killed += 1 } }
    }

    /// Counts the status, and notes one that the kind of request must not get.
    func note(_ status: Int, _ url: String, kind: String, expected: Set<Int>) {
        state.withLock { state in
            state.tally.statuses[status, default: 0] += 1
            guard !expected.contains(status) else { return }
            state.tally.unexpected["\(kind): \(status)", default: (0, url)].count += 1
        }
    }

    /// Judges an answer with a body.
    ///
    /// - Parameter keepsBody: Whether conditions and ranges follow.
    func judge(_ answer: ThumbnailClient.Answer, _ url: String, _ image: Image, keepsBody: Bool) {
        let tag = answer.fields["ETag"] ?? ""
        let version: Int
        let digest = answer.body.withUnsafeBytes { KeyDigest.hex(of: $0) }
        let key = "\(url) \(tag)"
        if let known = state.withLock({ $0.known[key] }) {
            guard known.digest == digest else {
                return wrong("other bytes under the entity tag \(tag)", url, answer.body)
            }
            version = known.version
        } else {
            do throws(Fault) { version = try read(answer.body, image) } catch {
                return wrong(error.text, url, answer.body)
            }
            state.withLock { state in
                if state.known.count >= Self.knownLimit { state.known.removeAll() }
                state.known[key] = (digest, version)
            }
        }
        judge(version, url, image, body: answer.body)
        if keepsBody { state.withLock { $0.bodies[url] = (tag, answer.body) } }
    }

    /// Judges a part of the body, from a byte to the end.
    func judge(part answer: ThumbnailClient.Answer, from start: Int, _ url: String) {
        let whole = state.withLock { $0.bodies[url] }
        guard let whole, whole.tag == answer.fields["ETag"] else { return }
        guard answer.body == whole.body.dropFirst(start) else {
            return wrong("another part than that of the whole body", url, answer.body)
        }
    }

    /// Judges the confirmation of a body.
    func judge(confirmation answer: ThumbnailClient.Answer, of tag: ByteString, _ url: String, _ image: Image) {
        guard answer.fields["ETag"] == tag else { return wrong("a 304 with another entity tag", url, Data()) }
        if let known = state.withLock({ $0.known["\(url) \(tag)"] }) { judge(known.version, url, image, body: Data()) }
    }

    private struct Fault: Error {
        let text: String
    }

    private func read(_ body: Data, _ image: Image) throws(Fault) -> Int {
        guard let bitmap = try? DecoderRegistry.standard.decode(body) else { throw Fault(text: "no whole image") }
        guard let mark = ImageMark(in: bitmap) else { throw Fault(text: "an image that shows no source") }
        guard mark.source == image.source else { throw Fault(text: "the image of source \(mark.source)") }
        guard bitmap.width == image.width else { throw Fault(text: "an image \(bitmap.width) pixels wide") }
        return mark.version
    }

    /// Compares the version with those that the source has had, of which a mark shows the lowest bits.
    private func judge(_ version: Int, _ url: String, _ image: Image, body: Data) {
        let current = sources.current(image.source)
        let age = (current - version % ImageMark.limit + ImageMark.limit) % ImageMark.limit
        if current - age < image.oldest { wrong("version \(current - age), purged", url, body) }
    }

    private func wrong(_ fault: String, _ url: String, _ body: Data) {
        let number = state.withLock { state in
            state.tally.wrongCount += 1
            if state.tally.wrong.count < 20 { state.tally.wrong.append("\(fault): \(url)") }
            return state.tally.wrongCount
        }
        guard number <= 20 else { return }
        try? body.write(to: URL(fileURLWithPath: "\(folder)/wrong-\(number)"))
    }
}
