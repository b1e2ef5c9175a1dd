import Testing

@testable import calotype_command

/// The rule for names that collide.
struct FileNamesTests {
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
}
