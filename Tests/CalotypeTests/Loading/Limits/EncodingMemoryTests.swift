import CalotypeTesting
import TestSupport
import Requirements
import Testing
import calotype_cache_client

@Suite struct `The memory of an encoder` {
    private static let formats =
        [
            "jpeg", "progressive", "png", "webp", "sharp-webp", "lossless", "lossless-colors", "near-lossless",
            "near-lossless-colors", "avif", "avif-colors",
        ] + formatsOfTraits
    #if JPEGXL
        private static let formatsOfTraits = ["jxl", "quick-jxl", "lossless-jxl"]
    #else
        private static let formatsOfTraits: [String] = []
    #endif

    @Test(
        .requirement("C1"),
        .disabled(if: Sanitizers.areOn, "a sanitizer's own memory cannot be told from the encoder's"),
        arguments: formats,
        [(1200, 1000), (900, 600), (400, 300)])
    func `is no more than a loader reserves for it`(format: String, size: (width: Int, height: Int)) async throws {
        try await check(format, size)
    }

    @Test(
        .requirement("C1"),
        .disabled(if: Sanitizers.areOn, "a sanitizer's own memory cannot be told from the encoder's"),
        arguments: ["jpeg-noise", "jpeg-flat", "jpeg-clear", "progressive-noise", "full-noise"],
        [(1200, 1000), (8192, 200), (70, 1)])
    func `of JPEG is no more for noise, one color, transparency and wide images`(
        format: String, size: (width: Int, height: Int)
    ) async throws {
        try await check(format, size)
    }

    private func check(_ format: String, _ size: (width: Int, height: Int)) async throws {
        let client = try ChildProgram(
            "calotype-cache-client", ["encode", format, "\(size.width)", "\(size.height)"])
        let numbers = await client.linesToEnd().first?.split(separator: " ").compactMap { Int($0) } ?? []
        try #require(numbers.count == 4)
        // What the libraries allocate once does not depend on the image.
        #expect(numbers[0] < numbers[1] + (4 << 20), "\(numbers)")
    }
}
