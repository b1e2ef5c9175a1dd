#if HEIF && JPEGXL && SVG && TIFF
    import CalotypeCodecs
    import CalotypeFuzzSupport
    import Foundation
    import TestSupport
    import Testing

    /// Pixels that a decoder left unwritten would show an earlier content of memory, such as another user's image.
    @Suite struct UnclearedMemoryTests {
        @Test func `no outcome depends on the content of uninitialized memory`() throws {
            let name = "calotype-outcomes-\(UUID().uuidString)"
            let folder = FileManager.default.temporaryDirectory.appending(path: name)
            defer { try? FileManager.default.removeItem(at: folder) }
            let inputs = folder.appending(path: "files")
            try FileManager.default.createDirectory(at: inputs, withIntermediateDirectories: true)
            let files = try Self.files
            for (number, file) in files.enumerated() { try file.write(to: inputs.appending(path: "\(number)")) }

            // Both at once, because a machine with two processors then needs half the time.
            let runs = try [170, 85].map { byte in
                let results = folder.appending(path: "\(byte)")
                try FileManager.default.createDirectory(at: results, withIntermediateDirectories: true)
                return (results, try Self.start(inputs, results, byte))
            }
            for (_, program) in runs {
                program.waitUntilExit()
                #expect(program.terminationStatus == 0)
            }
            for (number, file) in files.enumerated() {
                let outcomes = try runs.map { try Data(contentsOf: $0.0.appending(path: "\(number)")) }
                // Compared outside of the macro, which would look for the differences, for minutes.
                let isSame = outcomes[0] == outcomes[1]
                #expect(isSame, "\(file.count) bytes: \(file.base64EncodedString())")
            }
        }

        /// Starts this program with this byte in all memory that `malloc` returns, and in the bitmaps of its process.
        private static func start(_ files: URL, _ results: URL, _ byte: Int) throws -> Process {
            let program = Process()
            program.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            program.arguments = ["--outcomes", files.path, results.path, "\(byte)"]
            program.environment = ProcessInfo.processInfo.environment.merging(["MALLOC_PERTURB_": "\(byte)"]) { $1 }
            try program.run()
            return program
        }

        /// The fuzz targets' seeds and small files of the other suites: whole, cut short and with flipped bits.
        private static var files: [Data] {
            get throws {
                let (noise, veil) = (try Drawings.noise(48, 40), try Drawings.veil(48, 40))
                var whole = try ImageSeeds.all
                whole += try [noise, veil].flatMap { bitmap in
                    try [
                        HEIFFile.encoded(bitmap), JPEGXLFile.encoded([bitmap]),
                        PlainTIFF.encoded(bitmap, orientation: 3, hasAlpha: bitmap.hasAlpha, isBig: true),
                    ] + [.png, .jpeg(), .webp(), .webpLossless, .avif()].map { try bitmap.encoded(as: $0) }
                }
                // Of two parts, which come in turn, and animations.
                let wide = try Drawings.noise(300, 40)
                whole += try [false, true].flatMap { isLossless in
                    try [
                        JPEGXLFile.encoded([wide]) { ($0.isLossless, $0.isProgressive) = (isLossless, !isLossless) },
                        JPEGXLFile.encoded([veil, veil]) { ($0.isLossless, $0.isAnimated) = (isLossless, true) },
                    ]
                }
                whole.append(try HEIFGridFile.drawn(Drawings.noise(128, 128)).data)
                return whole + whole.flatMap { Damage.shortened($0) + Damage.flipped($0, 12) }
            }
        }
    }
#endif
