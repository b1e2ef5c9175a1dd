import Calotype
import CalotypeBase
import CalotypeCodecs
import CalotypeHTTP
import CalotypeStore
import Testing

/// A reference or a string at the end of an error crashes the compiler in a caller's release build: see "Public errors" in
/// CONTRIBUTING.md.
struct ErrorLayoutTests {
    @Test(
        arguments: [ImageError.cancelled, TransportError.cancelled, StoreError.cancelled, CodecError.cancelled]
            as [any Error])
    func `a public error is one word, which the compiler treats as an integer`(_ error: any Error) throws {
        let parts = Mirror(reflecting: error).children.map(\.value)
        try #require(parts.count == 1)
        #expect("\(type(of: parts[0]))".hasPrefix("ErrorParts<"))
        #expect(sizeOfValue(error) == MemoryLayout<UInt>.size)
        let storage = try #require(Mirror(reflecting: parts[0]).children.first)
        #expect(Mirror(reflecting: storage.value).displayStyle == .optional)
    }

    private func sizeOfValue(_ error: some Error) -> Int { MemoryLayout.size(ofValue: error) }

    @Test func `a copy of an error keeps its parts when the original changes`() {
        let original = ErrorParts([1])
        var copy = original
        copy.value.append(2)
        #expect(original.value == [1])
        #expect(copy.value == [1, 2])
    }
}
