import CalotypeBase
import Testing

/// Texts that people and logs read contain no user and no password of a URL.
struct UserInfoTests {
    @Test(arguments: [
        ("https://anna:secret@host/a.png", "https://host/a.png"),
        ("https://anna@host", "https://host"),
        ("//anna:secret@host/a", "//host/a"),
        ("https://anna:s@cret@host:8080/a@2x.png?q=@", "https://host:8080/a@2x.png?q=@"),
        ("\"ftp://anna:secret@host\" is no image", "\"ftp://host\" is no image"),
        ("a failed: https://u:p@one/ and http://v:q@two/", "a failed: https://one/ and http://two/"),
        ("https://proxy/?u=https://anna:secret@host/a", "https://proxy/?u=https://host/a"),
        ("https://anna:secret@[::1]:80/", "https://[::1]:80/"),
        ("https://anna:secret%40host/a%40b", "https://host/a%40b"), ("https://anna%40x:secret@host", "https://host"),
    ])
    func `a URL in a text loses its user and its password`(_ text: String, _ shown: String) {
        #expect(text.withoutUserInfo == shown)
        #expect(ByteString(text).withoutUserInfo == ByteString(shown))
    }

    @Test(arguments: [
        ("https://anna:a/b@host/c", "https://host/c"), ("https://anna:a?b@host/c", "https://host/c"),
        ("https://anna:a#b@host: not a URL", "https://host: not a URL"), ("https://an@na:a/b@host", "https://host"),
    ])
    func `a password that ends the authority too early is removed, too`(_ text: String, _ shown: String) {
        #expect(text.withoutUserInfo == shown)
    }

    @Test(arguments: [
        "", "@", "anna@host", "photos/a@2x.png", "https://host/a@2x.png", "https://host:8080/@", "https://[::1]/@",
        "https://host: ask anna@host", "https://host:80: ask anna@host", "a//b@c", "://", "https://", "mailto:a@b",
        "https://host/a%40b", "100% of https://host/a", "https://host/?a=%4",
    ])
    func `every other text is unchanged`(_ text: String) {
        #expect(text.withoutUserInfo == text)
    }

    @Test func `bytes that are not UTF-8 stay as they are`() {
        let text = ByteString(bytes: Array("http://a:\u{E9}@h/".utf8) + [0xE9, 0x40])
        #expect(text.withoutUserInfo.bytes == Array("http://h/".utf8) + [0xE9, 0x40])
    }
}
