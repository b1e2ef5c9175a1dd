#if HEIF && JPEGXL && SVG && TIFF
    import CalotypeCodecs
    import Foundation

    /// The pixels and errors that come out of the files of a folder, decoded in this process and in a worker.
    ///
    /// A test starts this program twice with `--outcomes FILES RESULTS BYTE`, with other bytes in uncleared memory.
    enum Outcomes {
        /// Writes the outcomes, one file for each, if the arguments ask for it. Otherwise returns `false`.
        static func writeIfAsked() -> Bool {
            let arguments = CommandLine.arguments
            guard arguments.count == 5, arguments[1] == "--outcomes", let byte = UInt8(arguments[4]) else {
                return false
            }
            fillBitmaps(with: byte)
            let (files, results) = (arguments[2], arguments[3])
            do {
                for name in try FileManager.default.contentsOfDirectory(atPath: files) {
                    guard let file = FileManager.default.contents(atPath: "\(files)/\(name)") else { continue }
                    try outcome(of: file).write(to: URL(fileURLWithPath: "\(results)/\(name)"))
                }
            } catch {
                FileHandle.standardError.write(Data("the outcomes could not be written: \(error)\n".utf8))
                exit(1)
            }
            return true
        }

        /// Has bitmaps of this process begin with this byte instead of zeros, so that unwritten pixels are seen.
        private static func fillBitmaps(with byte: UInt8) {
            PixelMemory.source = { count in
                let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 16)
                bytes.initializeMemory(as: UInt8.self, repeating: byte)
                return PixelMemory(bytes, isReadOnly: false) { $0.deallocate() }
            }
        }

        private static let workers = DecoderWorkers(limit: 1)
        private static let apart = DecoderRegistry.standard.isolated(in: workers)
        private static let here = DecoderRegistry.standard.isolated(by: .off)

        private static func outcome(of file: Data) -> Data {
            var outcome = Data()
            var limits = DecodeLimits()
            limits.maxPixels = 20_000
            for target in [nil, ResizeTarget(width: 12)] {
                limits.acceptsPartialImages = false
                var pixels = bytes { try here.decode(file, target: target, limits: limits) }
                if !pixels.isImage {
                    outcome += pixels.bytes
                    limits.acceptsPartialImages = true
                    pixels = bytes { try here.decode(file, target: target, limits: limits) }
                }
                outcome += pixels.bytes
                // An error ends a worker, and hundreds would have to start: take some of the partial images.
                guard pixels.isImage, !limits.acceptsPartialImages || target == nil && file.count % 4 == 0 else {
                    continue
                }
                outcome += bytes { try apart.decode(file, target: target, limits: limits) }.bytes
            }
            return outcome + frames(of: file, limits) + previews(of: file)
        }

        private static func frames(of file: Data, _ limits: DecodeLimits) -> Data {
            guard let animation = try? here.animation(for: file, limits: limits) else { return Data() }
            return [0, 1, 0].filter { $0 < animation.frameCount }.reduce(Data()) { frames, number in
                frames + bytes { try animation.frame(at: number) }.bytes
            }
        }

        /// Returns the previews of a file that arrives in four parts.
        private static func previews(of file: Data) -> Data {
            var (session, previews): (PreviewSession?, Data) = (nil, Data())
            for quarters in 1...4 {
                let part = file.prefix(file.count * quarters / 4)
                if session == nil {
                    let beginning = part.withUnsafeBytes {
                        here.previews(of: $0, target: nil, limits: DecodeLimits())
                    }
                    if case .session(let new) = beginning { session = new }
                }
                if let preview = try? session?.preview(of: part) { previews += bytes { preview.bitmap }.bytes }
            }
            return previews
        }

        private static func bytes(_ body: () throws -> Bitmap) -> (bytes: Data, isImage: Bool) {
            do {
                let bitmap = try body()
                return (Data("\(bitmap)".utf8) + bitmap.withUnsafeBytes { Data($0) }, true)
            } catch {
                return (Data("\(error)".utf8), false)
            }
        }
    }
#endif
