package import CalotypeBase
import CCrypto

/// HMAC-SHA256 under one key, over a salt and a text.
///
/// Creating a keyed context takes longer than hashing a short text, so idle contexts are kept and used again.
package final class HMACCode: Sendable {
    private let key: [UInt8]
    private let salt: [UInt8]
    private let idle = Locked<[HMACContext]>([])

    package init(key: [UInt8], salt: [UInt8] = []) {
        (self.key, self.salt) = (key, salt)
    }

    /// Returns the 32 bytes of the code.
    package func code(of text: ByteString) -> [UInt8] {
        let context = idle.withLock { $0.popLast() } ?? HMACContext(key: key)
        defer { idle.withLock { $0.append(context) } }
        return text.withBytes { context.code(of: salt, $0) }
    }
}

/// A keyed context of libcrypto.
// Unchecked: a context is used by the one thread that has taken it out of the list.
private final class HMACContext: @unchecked Sendable {
    // Unsafe: the pointer is set once, the algorithm is never freed, and OpenSSL lets any thread use it
    // (openssl-threads(7)).
    nonisolated(unsafe) private static let algorithm = EVP_MAC_fetch(nil, "HMAC", nil)

    private let context: OpaquePointer?

    init(key: [UInt8]) {
        context = EVP_MAC_CTX_new(Self.algorithm)
        // Without HMAC, the server would have to refuse every signature, and nothing would show the cause.
        precondition(calotype_hmac_key(context, key, key.count) == 1, "libcrypto has no HMAC with SHA-256")
    }

    deinit { EVP_MAC_CTX_free(context) }

    func code(of salt: [UInt8], _ text: UnsafeRawBufferPointer) -> [UInt8] {
        let bytes = text.assumingMemoryBound(to: UInt8.self)
        return [UInt8](unsafeUninitializedCapacity: 32) { code, count in
            // Without a new key, the context starts over with its present key.
            let isDone =
                EVP_MAC_init(context, nil, 0, nil) == 1 && EVP_MAC_update(context, salt, salt.count) == 1
                && EVP_MAC_update(context, bytes.baseAddress, bytes.count) == 1
                && EVP_MAC_final(context, code.baseAddress, &count, 32) == 1
            precondition(isDone && count == 32, "libcrypto computes no HMAC")
        }
    }
}
