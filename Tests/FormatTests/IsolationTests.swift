#if HEIF && JPEGXL && SVG && TIFF
    import CalotypeCodecs
    import CalotypeFuzzSupport
    import Foundation
    import TestSupport
    import Testing

    /// Decodes each file in this process and in a worker.
    @Suite struct IsolationTests {
        private static let workers = DecoderWorkers(limit: 2)
        private static let apart = DecoderRegistry.standard.isolated(in: workers)
        private static let here = DecoderRegistry.standard.isolated(by: .off)

        /// The fuzz targets' seeds, the drawings of the other suites, and the files of the folder that
        /// `CALOTYPE_ISOLATED_FILES` names, such as a fuzzer's corpus.
        private static var files: [Data] {
            get throws {
                let (drawn, veil) = (try Drawings.gradient(96, 64), try Drawings.veil(80, 64))
                var files = try ImageSeeds.all
                files += try [drawn, veil].flatMap { bitmap in
                    try [
                        HEIFFile.encoded(bitmap), JPEGXLFile.encoded([bitmap]),
                        JPEGXLFile.encoded([bitmap]) { ($0.isLossless, $0.orientation) = (true, 6) },
                        JPEGXLFile.encoded([bitmap, bitmap]) { $0.isAnimated = true },
                        PlainTIFF.encoded(bitmap, orientation: 3, hasAlpha: bitmap.hasAlpha, isBig: true),
                    ]
                }
                var grid = try HEIFGridFile.drawn(Drawings.gradient(150, 100))
                grid.properties = [HEIFGridFile.irot(1)]
                files.append(grid.data)
                for side in [8, 300, 700] {
                    let noise = try Drawings.noise(side, side)
                    files += try [.png, .jpeg(), .webp(), .webpLossless, .avif()].map { try noise.encoded(as: $0) }
                }
                guard let folder = ProcessInfo.processInfo.environment["CALOTYPE_ISOLATED_FILES"] else { return files }
                let names = try FileManager.default.subpathsOfDirectory(atPath: folder)
                return files + names.compactMap { FileManager.default.contents(atPath: "\(folder)/\($0)") }
            }
        }

        @Test(arguments: [nil, ResizeTarget(width: 20), ResizeTarget(width: 500, filter: .bilinear)])
        func `pixels are the same in a worker and here`(target: ResizeTarget?) throws {
            var limits = DecodeLimits()
            limits.acceptsPartialImages = true
            for file in try Self.files {
                let start = "\(file.count) bytes: \(file.prefix(12).map { $0 })"
                #expect(
                    Self.outcome { try Self.apart.header(of: file) } == Self.outcome { try Self.here.header(of: file) })
                #expect(Self.apart.colors(of: file) == Self.here.colors(of: file), "\(start)")
                // Damage ends a worker each time.
                for end in target == nil ? [file.count, file.count * 2 / 3] : [file.count] {
                    let part = file.prefix(end)
                    let (one, other) = (
                        Self.outcome { try Self.apart.decode(part, target: target, limits: limits).content },
                        Self.outcome { try Self.here.decode(part, target: target, limits: limits).content }
                    )
                    #expect(one == other, "\(start) of \(end)")
                }
            }
        }

        private static func outcome<Value: Hashable>(_ body: () throws -> Value) -> String {
            do { return "\(try body().hashValue)" } catch { return "\(error)" }
        }
    }
#endif
