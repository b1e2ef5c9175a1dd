import Calotype
import CalotypeBase
import Foundation
import Testing

/// Safe file names, made of URLs.
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
        ("https://example.com/.%20.bashrc", "bashrc"),
        ("https://example.com/.%20..%20", "example.com"),
        ("https://example.com/.%CC%81bashrc", "\u{301}bashrc"),
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

    @Test func `a name whose stem does not fit is replaced`() {
        let character = "a" + String(repeating: "\u{334}", count: 300)
        #expect(FileName.safe(character + ".jpg", orElse: "image") == "image")
    }

    @Test(arguments: ["", ".", "..", "...", "   ", "/"])
    func `a name of nothing is replaced`(_ text: String) {
        #expect(["image", "_"].contains(FileName.safe(text, orElse: "image")))
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
