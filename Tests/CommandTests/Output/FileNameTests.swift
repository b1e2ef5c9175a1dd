import CalotypeCodecs
import Foundation
import Testing

@testable import calotype_command

/// Section 8: safe file names with a rule for collisions.
struct FileNameTests {
    @Test(arguments: [
        ("https://example.com/a/photo.jpg", "photo.jpg"),
        ("https://example.com/a/photo.jpg?w=100#top", "photo.jpg"),
        ("https://example.com/", "example.com"),
        ("https://example.com", "example.com"),
        ("https://example.com/a/b/", "b"),
        ("https://example.com/%2e%2e%2fetc%2fpasswd", "_etc_passwd"),
        ("https://example.com/..%5c..%5cevil.png", "_.._evil.png"),
        ("https://example.com/.hidden.png", "hidden.png"),
        ("https://example.com/a%00b%0A.png", "a_b_.png"),
        ("https://example.com/caf%C3%A9%20noir.jpg", "café noir.jpg"),
        ("https://example.com/%E5%86%99%E7%9C%9F.jpg", "写真.jpg"),
        ("https://example.com/a:b*c%3Fd.jpg", "a_b_c_d.jpg"),
        ("data:image/png;base64,AAAA", "image"),
    ])
    func `a name comes from the URL and is safe`(_ url: String, _ name: String) throws {
        let made = FileName.of(try #require(URL(string: url)))
        #expect(url.hasPrefix("data:") ? !made.isEmpty && !made.contains("/") : made == name)
    }

    @Test func `a long name loses the end of its stem and keeps its extension`() {
        let name = FileName.safe(String(repeating: "ä", count: 500) + ".jpeg", orElse: "x")
        #expect(name.utf8.count <= FileName.lengthLimit)
        #expect(name.hasSuffix("ä.jpeg"))
    }

    @Test(arguments: ["", ".", "..", "...", "   ", "/"])
    func `a name of nothing is replaced`(_ text: String) {
        #expect(["image", "_"].contains(FileName.safe(text, orElse: "image")))
    }

    @Test func `the second of a name gets a number, in the order of asking`() {
        let names = FileNames()
        #expect(names.claim("photo.jpg") == "photo.jpg")
        #expect(names.claim("photo.jpg") == "photo-2.jpg")
        #expect(names.claim("photo.png") == "photo.png")
        #expect(names.claim("photo.jpg") == "photo-3.jpg")
        #expect(names.claim("README") == "README")
        #expect(names.claim("README") == "README-2")
    }

    @Test func `names that differ only in case or in spelling are the same`() {
        let names = FileNames()
        _ = names.claim("Photo.JPG")
        #expect(names.claim("photo.jpg") == "photo-2.jpg")
        _ = names.claim("caf\u{E9}.png")
        #expect(names.claim("cafe\u{301}.png") == "cafe\u{301}-2.png")
    }

    @Test func `a numbered name that is taken already is passed over`() {
        let names = FileNames()
        _ = names.claim("a-2.jpg")
        _ = names.claim("a.jpg")
        #expect(names.claim("a.jpg") == "a-3.jpg")
    }

    @Test(arguments: [
        ("photo.jpg", ImageFormat.jpeg, "photo.jpg"), ("photo.JPEG", .jpeg, "photo.JPEG"),
        ("photo.jpg", .png, "photo.png"), ("photo.php", .png, "photo.php.png"), ("photo", .webp, "photo.webp"),
        ("photo.v2", .jpeg, "photo.v2.jpg"), ("anim.gif", .gif, "anim.gif"), ("anim.gif", .png, "anim.png"),
    ])
    func `the extension tells the truth`(_ name: String, _ format: ImageFormat, _ result: String) {
        #expect(format.named(name) == result)
    }
}
