package import CalotypeBase
import CalotypeHTTP
import CalotypeHTTPCache
import CalotypeListener

/// The secret that proves a request to be the operator's, to this server or to the cache in front of it.
package struct AdminToken: Sendable {
    /// The shortest token, in bytes.
    package static let shortest = 16

    /// The digests of tokens are compared, which have one length.
    private let digest: ByteString
    /// The value of the field Authorization with the token, for requests to other nodes.
    let proof: ByteString
    let text: ByteString

    /// Creates a token from the contents of a file, without the white space around it. Returns `nil` if it is too short,
    /// or has bytes that a header field cannot have.
    package init?(_ contents: ByteString) {
        let bytes = contents.bytes
        let isBlank = { (byte: UInt8) in byte == 0x20 || (0x09...0x0D).contains(byte) }
        guard let first = bytes.firstIndex(where: { !isBlank($0) }), let last = bytes.lastIndex(where: { !isBlank($0) })
        else { return nil }
        let token = bytes[first...last]
        guard token.count >= Self.shortest, token.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
        text = ByteString(bytes: token)
        digest = Self.digest(of: text)
        proof = "Bearer \(text)"
    }

    /// Returns the reason why a request is not the operator's, or `nil` if it is.
    func refusal(of request: ListenerRequest) -> String? {
        // Browsers add these; the token of somebody who has it may not be used by a page.
        let site = request.fields.values(of: "Sec-Fetch-Site")
        if request.fields.contains("Origin") || site.contains(where: { $0 != "none" }) {
            return "the request comes from a web page"
        }
        let given = request.fields.values(of: "Authorization")
        guard given.count == 1 else { return "the request needs the field Authorization: Bearer TOKEN" }
        let words = given[0].split(separator: 0x20, maxSplits: 1)
        guard words.count == 2, words[0].lowercasedASCII == "bearer", isEqual(to: words[1].trimmed) else {
            return "the token in Authorization is not that of this server"
        }
        return nil
    }

    /// Compares in a time that does not depend on the bytes.
    private func isEqual(to token: ByteString) -> Bool {
        zip(Self.digest(of: token).bytes, digest.bytes).reduce(into: UInt8(0)) { $0 |= $1.0 ^ $1.1 } == 0
    }

    private static func digest(of token: ByteString) -> ByteString {
        ByteString(token.withBytes { KeyDigest.hex(of: $0) })
    }
}
