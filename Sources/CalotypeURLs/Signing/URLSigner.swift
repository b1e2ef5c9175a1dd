public import CalotypeBase
import CalotypeHTTP

/// Signs URLs for a server, and checks their signatures: HMAC-SHA256 over salt and path, as imgproxy does.
///
/// ```swift
/// let signer = try URLSigner(keys: "736563726574", salts: "68656C6C6F")
/// let url = "https://images.example.com\(signer.signed("/rs:fit:400:0/plain/local:///photo.jpg"))"
/// ```
public struct URLSigner: Sendable {
    private let codes: [HMACCode]
    private let length: Int

    /// Creates a signer.
    ///
    /// - Parameters:
    ///   - keys: Keys in hexadecimal, separated by commas. The first key signs; signatures of all keys are accepted.
    ///   - salts: One salt for each key, in the same form.
    ///   - length: The length of a signature before its encoding, from 1 to 32 bytes. The default is 32.
    /// - Throws: A ``RenditionError`` whose message names the key, salt or length to fix.
    public init(keys: String, salts: String, length: Int = 32) throws(RenditionError) {
        let keys = try Self.bytes(keys, "key"), salts = try Self.bytes(salts, "salt")
        guard keys.count == salts.count else {
            throw .malformed("\(keys.count) keys, but \(salts.count) salts: each key needs a salt")
        }
        guard (1...32).contains(length) else {
            throw .malformed("a signature has 1 to 32 bytes, not \(length)")
        }
        codes = zip(keys, salts).map(HMACCode.init)
        self.length = length
    }

    private static func bytes(_ list: String, _ name: String) throws(RenditionError) -> [[UInt8]] {
        guard !list.isEmpty else { throw .malformed("there is no \(name)") }
        var all: [[UInt8]] = []
        for text in ByteString(list).split(separator: UInt8(ascii: ",")).map(\.trimmed) {
            let digits = text.bytes.compactMap(\.hexValue)
            guard !text.isEmpty, digits.count == text.count, digits.count.isMultiple(of: 2) else {
                throw .malformed("\(name) \(all.count + 1) is not hexadecimal: two digits for each byte")
            }
            all.append(stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] })
        }
        return all
    }

    /// Returns the path with its signature in front of it, or behind `/info` if the path begins with that.
    ///
    /// - Parameter path: Options and source, with a leading slash; for facts about an image, with `/info` in front of them.
    public func signed(_ path: ByteString) -> ByteString { path.placing(signature: signature(of: path)) }

    /// Returns the path for an image by POST, with its signature in front of it, or behind `/info` if the path begins with that. Neither the signature of a rendition's URL
    /// fits a POST, nor this one a GET.
    ///
    /// ```swift
    /// let path = signer.signedForPost("/exp:1798761600/each/rs:fit:400:0/f:webp/each/rs:fit:1600:0/f:webp/")
    /// ```
    ///
    /// - Parameter path: The options, with a leading slash. They need `exp` unless the client has the server's token for
    ///   POST.
    public func signedForPost(_ path: ByteString) -> ByteString {
        path.placing(signature: signature(of: PostedPath.signedText(path)))
    }

    /// Returns the signature of a path under the first key, in URL-safe base64.
    public func signature(of path: ByteString) -> ByteString {
        ByteString(base64: codes[0].code(of: path).prefix(length))
    }

    /// Returns `true` if the signature of the path is valid under one of the keys.
    ///
    /// A signature has one spelling, that of ``signature(of:)``. Another one would be another URL, which a CDN stores once
    /// more. The call takes the same time for every signature of the right length.
    public func isValid(_ signature: ByteString, for path: ByteString) -> Bool {
        guard let given = signature.base64Bytes, given.count == length, ByteString(base64: given) == signature else {
            return false
        }
        // Each key is tried, so that the time does not depend on which key signed.
        return codes.reduce(false) { isValid, code in
            code.code(of: path).prefix(length).isEqualInConstantTime(to: given) || isValid
        }
    }
}

extension ByteString {
    /// Returns the path with a signature, which stands behind `/info` if the path begins with that.
    package func placing(signature: ByteString) -> ByteString {
        let info: ByteString = "/\(RenditionGrammar.infoName)"
        return hasPrefix("\(info)/") ? "\(info)/\(signature)\(dropFirst(info.count))" : "/\(signature)\(self)"
    }
}

extension Sequence<UInt8> {
    /// Returns `true` if the bytes are equal, in a time that does not depend on their values.
    ///
    /// - Parameter other: A sequence of the same length.
    func isEqualInConstantTime(to other: some Sequence<UInt8>) -> Bool {
        zip(self, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
