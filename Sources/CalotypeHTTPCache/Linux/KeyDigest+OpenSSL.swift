import CCrypto

extension KeyDigest {
    // Unsafe: the pointer is set once, the algorithm is never freed, and OpenSSL lets any thread use it (openssl-threads(7)).
    // Looking it up for each digest would take longer than a short digest.
    nonisolated(unsafe) private static let algorithm = EVP_MD_fetch(nil, "SHA256", nil)

    static func digest(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        var length: UInt32 = 32
        return [UInt8](unsafeUninitializedCapacity: 32) { digest, count in
            let isDone = EVP_Digest(bytes.baseAddress, bytes.count, digest.baseAddress, &length, algorithm, nil)
            // Without a digest, one user's key would match another's, and so would their images.
            precondition(isDone == 1, "libcrypto has no SHA-256")
            count = 32
        }
    }
}
