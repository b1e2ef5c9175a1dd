import CalotypeHTTP
import Testing

@testable import CalotypeHTTPCache

/// The index of URLs with the same responses, and its bounds.
@Suite struct `The index of No-Vary-Search` {
    private let utm = SearchVariance(["No-Vary-Search": "params=(\"utm\")"])
    private let order = SearchVariance(["No-Vary-Search": "key-order"])

    @Test func `finds the key of a class, in its partition, origin and path alone`() throws {
        let index = SearchIndex()
        let utm = try #require(utm)
        #expect(index.note(utm, of: "anna?\nhttp://a/p?id=1", storedAs: "anna?\nhttp://a/p?id=1").isEmpty)
        let match = SearchIndex.Match(key: "anna?\nhttp://a/p?id=1", variance: utm)
        for key: ByteString in ["id=1", "id=1&utm=2", "utm=3&id=1"] {
            #expect(index.matches("anna?\nhttp://a/p?\(key)") == [match])
        }
        for key: ByteString in [
            "anna?\nhttp://a/p?id=2", "anna?\nhttp://a/p", "ben?\nhttp://a/p?id=1", "http://a/p?id=1",
            "anna?\nhttp://b/p?id=1", "anna?\nhttps://a/p?id=1", "anna?\nhttp://a/p/?id=1", "anna?\nhttp://a/P?id=1",
        ] { #expect(index.matches(key).isEmpty) }
    }

    @Test func `returns the key that a class had before, and those of a URL with its own responses`() throws {
        let index = SearchIndex()
        let (utm, order) = (try #require(utm), try #require(order))
        _ = index.note(utm, of: "http://a/p?utm=1", storedAs: "http://a/p?utm=1")
        #expect(index.note(utm, of: "http://a/p?utm=2", storedAs: "http://a/p?utm=2") == ["http://a/p?utm=1"])
        #expect(index.note(utm, of: "http://a/p?utm=1", storedAs: "http://a/p?utm=2").isEmpty)
        _ = index.note(order, of: "http://a/p?utm=3", storedAs: "http://a/p?utm=3")
        // The latest field goes first.
        #expect(index.matches("http://a/p?utm=3").map(\.key) == ["http://a/p?utm=3", "http://a/p?utm=2"])
        #expect(index.forget("http://a/p?utm=3", but: order) == ["http://a/p?utm=2"])
        #expect(index.matches("http://a/p?utm=3").map(\.key) == ["http://a/p?utm=3"])
        index.removeAll()
        #expect(index.matches("http://a/p?utm=3").isEmpty)
    }

    @Test func `forgets the oldest of five fields of a path`() throws {
        let index = SearchIndex()
        for number in 0..<5 {
            let variance = try #require(SearchVariance(["No-Vary-Search": "params=(\"\(number)\")"]))
            let gone = index.note(variance, of: "http://a/p?x=\(number)", storedAs: "http://a/p?x=\(number)")
            #expect(gone == (number < 4 ? [] : ["http://a/p?x=0"]))
        }
    }

    @Test func `forgets classes of a path in the order of their last use`() throws {
        let index = SearchIndex()
        let utm = try #require(utm)
        var gone: Set<ByteString> = []
        for number in 0..<(3 * SearchIndex.classLimit) {
            let key: ByteString = "http://a/p?id=\(number)"
            gone.formUnion(index.note(utm, of: key, storedAs: key))
            #expect(index.matches("http://a/p?utm&id=0").count == 1)
        }
        #expect(!gone.isEmpty && !gone.contains("http://a/p?id=0"))
        #expect(gone.count <= 2 * SearchIndex.classLimit)
        for key in gone { #expect(index.matches(key).isEmpty) }
    }

    @Test(arguments: [1, 1_000]) func `stays within its memory, and returns the keys of forgotten paths`(
        classes: Int
    ) throws {
        let index = SearchIndex(byteLimit: 1 << 20)
        let utm = try #require(utm)
        var kept: Set<ByteString> = []
        for number in 0..<10_000 {
            let key: ByteString = "http://a/\(number / classes)?id=\(number)"
            kept.insert(key)
            kept.subtract(index.note(utm, of: key, storedAs: key))
        }
        // A class takes at least 200 bytes of the limit.
        #expect(kept.count < (1 << 20) / 200 && kept.count > 300)
        for key in kept { #expect(index.matches(key).first?.key == key) }
    }

    @Test(arguments: [8 << 10, 8 << 10 + 1]) func `leaves out a query of more than 8 KiB`(length: Int) throws {
        let index = SearchIndex()
        let query = ByteString(String(repeating: "x", count: length))
        _ = index.note(try #require(utm), of: "http://a/p?\(query)", storedAs: "http://a/p?\(query)")
        #expect(index.matches("http://a/p?\(query)").isEmpty == (length > 8 << 10))
    }
}
