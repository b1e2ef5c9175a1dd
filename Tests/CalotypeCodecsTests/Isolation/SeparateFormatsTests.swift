#if HEIF && JPEGXL && SVG && TIFF
    import CalotypeTesting
    import Foundation
    import TestSupport
    import Testing
    import Waiting

    @testable import CalotypeCodecs

    /// The formats that a build lacks, in the workers of `calotype-decoder-formats`. That is `calotype-decoder` of a build with all
    /// traits, as of these tests.
    @Suite struct SeparateFormatsTests {
        private let clock = ManualClock()

        private func workers(limit: Int = 1, formats: String = Programs.path("calotype-decoder")) -> DecoderWorkers {
            DecoderWorkers(limit: limit, formats: formats, clock: clock, variables: [:])
        }

        /// The decoders of a program without traits.
        private func decoders(in workers: DecoderWorkers) -> DecoderRegistry {
            DecoderRegistry(
                StandardDecoder.list(with: StandardDecoder.separate).map {
                    IsolatedDecoder(standard: $0, workers: workers)
                })
        }

        private static func isTraits(_ file: Data) -> Bool {
            file.reading { bytes in StandardDecoder.separate.contains { $0.recognizes(ByteReader(bytes)) } }
        }

        @Test func `files of all four have the pixels that a build with their libraries decodes`() throws {
            let workers = workers()
            defer { workers.close() }
            let (apart, whole) = (decoders(in: workers), DecoderRegistry(StandardDecoder.built.map(\.decoder)))
            var formats: Set<ImageFormat> = []
            for file in WarmUpFiles.all where Self.isTraits(file) {
                let header = try apart.header(of: file)
                formats.insert(header.format)
                #expect(try header == whole.header(of: file))
                #expect(apart.colors(of: file) == whole.colors(of: file))
                #expect(try apart.decode(file).words == whole.decode(file).words)
            }
            #expect(formats.count == 4)
            #expect(workers.pool.counters.started == 0 && workers.formats?.counters.started == 1)
            #expect(workers.counters.images == workers.formats?.counters.images)
        }

        @Test func `the memory of a decode is estimated as by a build with the libraries, or as more`() throws {
            for file in WarmUpFiles.all where Self.isTraits(file) {
                let header = try DecoderRegistry(StandardDecoder.built.map(\.decoder)).header(of: file)
                let size = DecodeSize(header.uprightSize, of: header.uprightSize)
                let built = try #require(StandardDecoder.built.first { $0.formats.contains(header.format) })
                let other = try #require(StandardDecoder.separate.first { $0.formats.contains(header.format) })
                let exact = built.decoder.workingBytes(for: header, scaledTo: size)
                let estimate = other.decoder.workingBytes(for: header, scaledTo: size)
                #expect(header.format == .heic ? estimate >= exact : estimate == exact)
                #expect(built.number == other.number && built.isRisky == other.isRisky)
            }
        }

        @Test func `a decoder of the build takes the place of the other program's`() {
            #expect(StandardDecoder.traits(orElse: StandardDecoder.separate).allSatisfy { !$0.isSeparate })
            #expect(StandardDecoder.separate.allSatisfy { $0.isSeparate })
            #expect(StandardDecoder.separate.map(\.number) == StandardDecoder.traits.map(\.number))
        }

        @Test func `the other program decodes without isolation, too, because the libraries are there alone`() throws {
            let workers = workers()
            defer { workers.close() }
            let decoders = decoders(in: workers).isolated(by: DecoderIsolation(.off, workers))
            let file = try #require(WarmUpFiles.all.first(where: Self.isTraits))
            #expect(try decoders.decode(file).words == DecoderRegistry.standard.decode(file).words)
            #expect(DecoderIsolation(.off, workers).descriptors == workers.descriptors)
        }

        @Test(arguments: ["/no/such/program", "/etc/passwd", "/bin/cat"])
        func `a program that is missing, or another one, fails its formats and no others`(path: String) throws {
            let workers = workers(formats: path)
            defer { workers.close() }
            let decoders = decoders(in: workers)
            let file = try #require(WarmUpFiles.all.first(where: Self.isTraits))
            #expect(throws: CodecError.self) { try DecoderIsolation(.all, workers).startAll() }
            let error = #expect(throws: CodecError.self) { try decoders.decode(file) }
            #expect(error?.code == .decoderFailed)
            #expect(try decoders.decode(SamplePhotos.png(width: 4, height: 3)).width == 4)
        }

        @Test func `a program of another version is refused`() throws {
            let program = WorkerProgram(
                path: Programs.path("calotype-decoder"), decoders: Array(StandardDecoder.separate.dropLast()))
            let worker = try WorkerProcess(program, keeping: KeptRegions(workers: 1))
            let fault = #expect(throws: WorkerFault.self) { try worker.becomeReady(under: DecodeTerms()) }
            #expect(fault?.message.hasSuffix("is of another version than this program") == true)
        }

        @Test func `both programs together have one worker more than the limit, at most`() throws {
            let workers = workers(limit: 2)
            defer { workers.close() }
            let other = try #require(workers.formats)
            let own = try (0..<2).map { _ in try workers.pool.take(under: DecodeTerms()) }
            for worker in own { workers.pool.give(back: worker) }
            let first = try other.pool.take(under: DecodeTerms())
            #expect(workers.idleProcesses.count == 2)
            let second = try other.pool.take(under: DecodeTerms())
            #expect(workers.idleProcesses.count == 1 && workers.counters.ended == ["room": 1])
            for worker in [first, second] { other.pool.give(back: worker) }
            #expect(workers.counters.started == 4)
        }

        @Test func `the last worker of the other program ends when it has had no work for 10 s`() async throws {
            let workers = workers()
            defer { workers.close() }
            let other = try #require(workers.formats)
            try DecoderIsolation(.all, workers).startAll()
            #expect(workers.idleProcesses.count == 1 && other.idleProcesses.count == 1)
            await clock.waitForSleepers(2)
            clock.advance(by: .seconds(10))
            await waitUntil { other.idleProcesses.isEmpty }
            #expect(workers.idleProcesses.count == 1)
        }
    }
#endif
