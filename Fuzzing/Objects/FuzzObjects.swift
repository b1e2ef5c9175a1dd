import CalotypeBase
import CalotypeFuzzSupport
import CalotypeHTTPCache
import Foundation

@testable import CalotypeServer

@_cdecl("LLVMFuzzerInitialize")
public func initialize(_ count: UnsafeMutableRawPointer?, _ arguments: UnsafeMutableRawPointer?) -> Int32 {
    Seeds.writeIfAsked {
        [
            "<?xml version=\"1.0\"?><Error><Code>NoSuchKey</Code><Region>eu-central-1</Region><Key>a &amp; b</Key></Error>",
            "<Credentials><AccessKeyId>ID</AccessKeyId><SecretAccessKey>s</SecretAccessKey></Credentials>",
            "[default]\naws_access_key_id = ID\naws_secret_access_key=a=b\n; comment\n[profile web]\r\n  region = eu\r\n",
            "photos endpoint=https://objects.example.com:9000 region=eu-central-1 profile=web style=path",
            "1767225600.25 hard source https://example.com/cat.jpg", "1767225600250-1f0c9a3b7d5e2468\n",
            "<ListBucketResult><IsTruncated>true</IsTruncated><Contents><Key>a</Key></Contents></ListBucketResult>",
            "list-type=2&prefix=a%2Fb&start-after=%C3%A9", "a/../b//./c%41 é",
        ].map { Data($0.utf8) }
    }
}

/// Reads the bytes as a store's error, as its list, as a purge, as a file of credentials, as a bucket, as a key and as a
/// query.
@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let data = input(bytes, count), text = ByteString(bytes: data)
    checkFailure(data)
    checkPurges(data)
    _ = ObjectList(xml: Array(data))
    for profile: ByteString in ["default", "web"] {
        guard let found = CredentialsFile(text).credentials(of: profile) else { continue }
        require(!found.id.isEmpty && !found.secret.isEmpty, "empty credentials: \(text)")
        require(!found.id.contains(0x0A) && !found.secret.contains(0x0A), "credentials of two lines: \(text)")
    }
    if let bucket = try? S3Bucket(text) {
        require(!bucket.host.contains(UInt8(ascii: "/")), "a host with a path: \(text)")
    }
    if let path = try? S3Bucket.path(ofKey: text) {
        require(path.percentDecoded == text, "the path of another key: \(text)")
        require(S3Bucket.target(ofPath: path).percentDecoded == text, "the target of another key: \(text)")
    }
    let query = SigV4.canonicalQuery(text)
    require(SigV4.canonicalQuery(query) == query, "a query that changes when it is put in order again: \(text)")
    return 0
}

private func checkPurges(_ data: Data) {
    let text = ByteString(bytes: data), digest = data.withUnsafeBytes { KeyDigest.hex(of: $0) }.prefix(16)
    let time = text.split(separator: 0x20).first.flatMap { Double($0.string) } ?? 0
    let id = PurgeID(time: time, number: 7)
    if let purge = Purge(Data("\(digest) ".utf8) + data, id: id, learnt: 0) {
        let list = PurgeList()
        list.set([purge])
        _ = list.moments(ofSource: "https://example.com/cat.jpg").effect(onRequestAt: 0, now: 1_767_225_600)
        let written = Purge(purge.text.bytes, id: id, learnt: 0)
        require(written == purge, "a purge that changes when it is written: \(text)")
        _ = PurgeRecord(purge)
    }
    if let id = PurgeID(text) { require(PurgeID(id.text) == id && id.text == text, "another name: \(text)") }
    if let page = try? JSONDecoder().decode(PurgePage.self, from: data) { _ = page.purges }
}

private func checkFailure(_ data: Data) {
    let failure = S3Failure(data)
    for word in [failure.code, failure.region].compactMap(\.self) {
        require((1...64).contains(word.count), "a code without bounds: \(word)")
        require(word.bytes.allSatisfy { (0x21...0x7E).contains($0) }, "a code for no log: \(word)")
    }
    let start = Array(data.prefix(4096))
    for name in ["AccessKeyId", "SecretAccessKey", "Expiration", "Key"] {
        guard let text = S3Failure.text(of: name, in: start) else { continue }
        require(text.count <= start.count, "a text longer than its page: \(text)")
    }
}
