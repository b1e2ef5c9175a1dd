import CalotypeCodecs
import CalotypeHTTP
import CalotypeTesting
import Foundation
import Testing

@testable import Calotype

/// Local files that change behind their paths.
@Suite struct FileChangeTests {
    private let folder = TemporaryFolder()
    private let decoder = PlainDecoder()
    private let loader: ImageLoader
    private let file: URL

    init() throws {
        var options = ImageLoaderOptions.ephemeral
        options.decoders.register(decoder)
        options.schemes.append("file")
        options.respondsToMemoryPressure = false
        loader = ImageLoader(options)
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        file = URL(filePath: folder.path).appending(path: "a.plain")
        try write(blue: 1)
    }

    /// Replaces the file by a new one, or overwrites it in place with bytes of the same length.
    private func write(blue: UInt8, inPlace: Bool = false) throws {
        try PlainDecoder.data(blue: 100 + blue).write(to: file, options: inPlace ? [] : .atomic)
    }

    // It used to keep its old image in memory for as long as the program ran.
    @Test(arguments: [false, true], [false, true])
    func `a file that is replaced or overwritten shows its new image`(inPlace: Bool, byURL: Bool) async throws {
        let request = byURL ? ImageRequest(file) : ImageRequest(source: .file(file))
        #expect(try await loader.fetch(request).blue == 101)
        try write(blue: 2, inPlace: inPlace)
        #expect(try await loader.fetch(request).blue == 102)
        #expect(loader.cachedImage(for: request)?.blue == 102)
        let small = ImageRequest(source: request.source, size: ResizeTarget(width: 2))
        #expect(try await loader.fetch(small).blue == 102)
        try write(blue: 3, inPlace: inPlace)
        #expect(try await loader.fetch(small).blue == 103)
        try FileManager.default.removeItem(at: file)
        #expect(await imageError { try await loader.fetch(request) }?.code == .fileUnreadable)
    }

    @Test func `a file that has not changed is decoded once, and memory answers without a look at it`() async throws {
        let request = ImageRequest(source: .file(file))
        for _ in 0..<3 { #expect(try await loader.fetch(request).blue == 101) }
        #expect(decoder.decodeCount == 1)
        try write(blue: 2)
        // Without I/O, the loader cannot know better; views show this image until the load has looked at the file.
        #expect(loader.cachedImage(for: request)?.blue == 101)
        let look = loader.look(for: request)
        #expect(look.bitmap == nil && look.expired?.blue == 101)
        #expect(try await loader.fetch(request).blue == 102)
        let anyAge = ImageRequest(source: .file(file), policy: .returnCacheElseLoad)
        try write(blue: 3)
        #expect(try await loader.fetch(anyAge).blue == 102)
    }
}
