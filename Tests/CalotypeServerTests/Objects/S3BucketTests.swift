import CalotypeBase
import CalotypeHTTP
import CalotypeURLs
import Foundation
import Testing

@testable import CalotypeServer

@Suite struct S3BucketTests {
    @Test(
        arguments: [
            ("photos", "https://photos.s3.amazonaws.com/cat.jpg"),
            ("photos region=eu-central-1", "https://photos.s3.eu-central-1.amazonaws.com/cat.jpg"),
            ("photos.example.com region=eu-west-1", "https://s3.eu-west-1.amazonaws.com/photos.example.com/cat.jpg"),
            ("photos region=eu-west-1 style=path", "https://s3.eu-west-1.amazonaws.com/photos/cat.jpg"),
            ("photos endpoint=http://127.0.0.1:9000", "http://127.0.0.1:9000/photos/cat.jpg"),
            (
                "photos endpoint=https://objects.example.com:443/ style=host",
                "https://photos.objects.example.com/cat.jpg"
            ),
            ("photos  profile=web  endpoint=https://objects.example.com", "https://objects.example.com/photos/cat.jpg"),
        ] as [(ByteString, ByteString)])
    func `an object has the URL of its store`(words: ByteString, url: ByteString) throws {
        #expect(try S3Bucket(words).url(ofKey: "cat.jpg") == url)
    }

    @Test(
        arguments: [
            ("a b.jpg", "a%20b.jpg"), ("a=b", "a%3Db"), ("a:b", "a%3Ab"), ("a+b", "a%2Bb"), ("%41", "%2541"),
            ("a//b", "a//b"), ("/a", "/a"), ("a/", "a/"), ("é", "%C3%A9"), ("e\u{301}", "e%CC%81"), ("~a_-.", "~a_-."),
            ("a/../b", "a/%2E%2E/b"), ("./a", "%2E/a"), ("a..b", "a..b"), ("?#", "%3F%23"),
        ] as [(ByteString, ByteString)])
    func `the bytes of a key are encoded once`(key: ByteString, path: ByteString) throws {
        let url = try S3Bucket("photos style=path").url(ofKey: key)
        #expect(url == "https://s3.amazonaws.com/photos/\(path)")
        let target = S3Bucket.target(ofPath: "/photos/\(path)")
        #expect(target.percentDecoded == "/photos/\(key)" && !target.contains("%2E"))
        // Foundation and the transport must see the same path.
        let parsed = try #require(URL(text: url))
        #expect(ByteString(parsed.path(percentEncoded: true)) == "/photos/\(path)")
    }

    @Test func `a key of 1,024 bytes is the longest`() throws {
        let bucket = try S3Bucket("photos")
        let longest = ByteString(String(repeating: "k", count: 1024))
        #expect(try bucket.url(ofKey: longest).count == "https://photos.s3.amazonaws.com/".count + 1024)
        #expect(throws: RenditionError.self) { try bucket.url(ofKey: "\(longest)k") }
        #expect(throws: RenditionError.self) { try bucket.url(ofKey: "") }
    }

    @Test(
        arguments: [
            ("", "the name of the bucket is missing"), ("Photos", "\"Photos\" is no bucket"),
            ("ab", "\"ab\" is no bucket"),
            ("-photos", "is no bucket"), ("photos..web", "is no bucket"), ("photos/web", "is no bucket"),
            ("photos style=virtual", "style= is host or path"), ("photos style=", "\"style=\" has no value"),
            ("photos region=eu region=us", "each once"), ("photos region=a/b", "is no region"),
            ("photos endpoint=ftp://x", "the scheme"), ("photos endpoint=http://x/y", "has no path"),
            ("photos size=3", "\"size\" is unknown"), ("photos secret", "expected endpoint="),
        ] as [(ByteString, String)])
    func `a wrong bucket is refused with its cause`(words: ByteString, cause: String) {
        let error = #expect(throws: RenditionError.self) { try S3Bucket(words) }
        #expect(error?.message.contains(cause) == true, "\(error?.message ?? "")")
    }
}
