import CalotypeBase
import Requirements
import Testing

@testable import CalotypeURLs

struct URLSignerTests {
    private let path: ByteString =
        "/rs:fill:300:400:0/g:sm/aHR0cDovL2V4YW1w/bGUuY29tL2ltYWdl/cy9jdXJpb3NpdHku/anBn.png"
    private let signature: ByteString = "oKfUtW34Dvo2BGQehJFR4Nr0_rIjOtdtzJ3QFsUcXH8"

    private func signer(_ keys: String = "736563726574", _ salts: String = "68656C6C6F", length: Int = 32) throws
        -> URLSigner
    {
        try URLSigner(keys: keys, salts: salts, length: length)
    }

    @Test func `the signature is that of imgproxy's documentation`() throws {
        #expect(try signer().signature(of: path) == signature)
        #expect(try signer().signed(path) == "/\(signature)\(path)")
    }

    @Test func `one signer signs many texts, each as alone`() throws {
        let signer = try signer()
        for _ in 0..<3 {
            #expect(signer.signature(of: path) == signature)
            #expect(signer.signature(of: "/other") != signature)
        }
    }

    @Test(.requirement("V1")) func `a signature holds for its path alone`() throws {
        let signer = try signer()
        #expect(signer.isValid(signature, for: path))
        for index in path.bytes.indices {
            var changed = path.bytes
            changed[index] ^= 1
            #expect(!signer.isValid(signature, for: ByteString(bytes: changed)), "byte \(index)")
        }
    }

    @Test(.requirement("V1")) func `a signature with one other bit is refused`() throws {
        let signer = try signer()
        let code = try #require(signature.base64Bytes)
        for index in code.indices {
            var changed = code
            changed[index] ^= 0x80
            #expect(!signer.isValid(ByteString(base64: changed), for: path), "byte \(index)")
        }
    }

    @Test(arguments: [
        "", "a", "!!", "oKfUtW34Dvo2BGQehJFR4Nr0_rIjOtdtzJ3QFsUcXH", "oKfUtW34Dvo2BGQehJFR4Nr0_rIjOtdtzJ3QFsUcXH8A",
    ])
    func `a signature of another length, or none, is refused`(text: String) throws {
        #expect(try !signer().isValid(ByteString(text), for: path))
    }

    /// The signature with padding, in the other alphabet, and with another value of the bits that no byte has.
    @Test(
        arguments: [
            "oKfUtW34Dvo2BGQehJFR4Nr0_rIjOtdtzJ3QFsUcXH8=", "oKfUtW34Dvo2BGQehJFR4Nr0_rIjOtdtzJ3QFsUcXH8==",
            "oKfUtW34Dvo2BGQehJFR4Nr0/rIjOtdtzJ3QFsUcXH8",
            "oKfUtW34Dvo2BGQehJFR4Nr0_rIjOtdtzJ3QFsUcXH9",
        ] as [ByteString])
    func `another spelling of a signature is refused`(text: ByteString) throws {
        #expect(try !signer().isValid(text, for: path))
    }

    @Test func `a truncated signature is as long as the signer says`() throws {
        let short = try signer(length: 8)
        #expect(short.signature(of: path) == "oKfUtW34Dvo")
        #expect(short.isValid("oKfUtW34Dvo", for: path))
        #expect(!short.isValid(signature, for: path))
    }

    @Test(.requirement("V3")) func `each of several keys is accepted, and the first one signs`() throws {
        let old = try signer(), new = try signer("aabb", "ccdd")
        let both = try signer("aabb, 736563726574", "ccdd, 68656C6C6F")
        #expect(both.isValid(old.signature(of: path), for: path))
        #expect(both.isValid(new.signature(of: path), for: path))
        #expect(both.signature(of: path) == new.signature(of: path))
        #expect(!new.isValid(old.signature(of: path), for: path))
    }

    /// Bytes that count how many of them are looked at.
    private struct CountedBytes: Sequence, IteratorProtocol {
        var rest: ArraySlice<UInt8>
        let reads: Locked<Int>

        mutating func next() -> UInt8? {
            reads.withLock { $0 += 1 }
            return rest.popFirst()
        }
    }

    @Test(.requirement("V2"), arguments: [0, 1, 31, nil])
    func `a comparison looks at every byte, wherever the first difference is`(difference: Int?) {
        let code = [UInt8](0..<32)
        var other = code
        if let difference { other[difference] ^= 1 }
        let reads = Locked(0)
        #expect(CountedBytes(rest: code[...], reads: reads).isEqualInConstantTime(to: other) == (difference == nil))
        #expect(reads.withLock { $0 } == 33)
    }

    @Test func `threads sign at once with one signer`() async throws {
        let signer = try signer()
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 {
                group.addTask { [path, signature] in
                    (0..<200).allSatisfy { _ in signer.isValid(signature, for: path) }
                }
            }
            for await isValid in group { #expect(isValid) }
        }
    }

    @Test(arguments: [
        ("", "00", 32, "there is no key"), ("00", "", 32, "there is no salt"),
        ("0", "00", 32, "key 1 is not hexadecimal"),
        ("00,xy", "00,00", 32, "key 2 is not hexadecimal"), ("00", "0g", 32, "salt 1 is not hexadecimal"),
        ("00,11", "00", 32, "2 keys, but 1 salts"), ("00", "00", 0, "1 to 32 bytes"),
        ("00", "00", 33, "1 to 32 bytes"),
    ])
    func `a wrong key is named`(keys: String, salts: String, length: Int, problem: String) {
        let error = #expect(throws: RenditionError.self) {
            try URLSigner(keys: keys, salts: salts, length: length)
        }
        #expect(error?.description.contains(problem) == true, "\(error?.description ?? "")")
    }
}
