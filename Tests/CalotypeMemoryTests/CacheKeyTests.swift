import CalotypeMemory
import Testing

@Suite struct CacheKeyTests {
    @Test func `keys are equal when their texts are`() {
        #expect(CacheKey("https://example.org/a") == CacheKey("https://example.org/" + "a"))
        #expect(CacheKey("a") != CacheKey("b"))
        #expect(CacheKey("") == CacheKey(""))
        #expect(Set((0..<1000).map { CacheKey("\($0 % 100)") }).count == 100)
        #expect(CacheKey("a").text == "a")
    }

    @Test func `long and odd texts are kept whole`() {
        let cache = MemoryCache<Int>(options: MemoryCacheOptions(costLimit: 1000)) { $0 }
        let texts = ["", "\u{0}", "é", "e\u{301}x", "👩‍👩‍👧", String(repeating: "x", count: 100_000)]
        for (index, text) in texts.enumerated() { cache.store(value: index, for: CacheKey(text)) }
        for (index, text) in texts.enumerated() { #expect(cache.value(for: CacheKey(text)) == index) }
    }

    @Test(arguments: [
        ("K", "\u{212A}"), (";", "\u{37E}"), ("\u{E9}", "e\u{301}"), ("a\u{301}\u{323}", "a\u{323}\u{301}"),
    ])
    func `texts that Unicode calls equal are two keys`(_ left: String, _ right: String) {
        #expect(left == right)
        #expect(CacheKey(left) != CacheKey(right))
        let cache = MemoryCache<Int>(options: MemoryCacheOptions(costLimit: 1000)) { $0 }
        cache.store(value: 1, for: CacheKey(left))
        #expect(cache.value(for: CacheKey(right)) == nil)
    }

    @Test func `a key reads without the password of its URL, and keeps it`() {
        let (anna, bob) = (CacheKey("http://anna:secret@host/a\nsize 3"), CacheKey("http://bob:secret@host/a\nsize 3"))
        #expect(anna.description == "http://host/a\nsize 3")
        #expect(anna != bob)
    }
}
