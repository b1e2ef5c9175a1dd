import CalotypeCodecs
import CalotypeTesting
import Foundation

extension Scenario {
    /// The cost of a page's five sizes of one photograph, asked for at once, beside one decode for each.
    static let serveTogether = Scenario(
        name: "serve-together",
        summary: "calotype serve: processor time of five JPEGs, 160 to 800 px, at once from a file of 12 megapixels"
    ) { bench in
        let photograph = try Photographs.largePhotograph
        func file(_ format: EncodingFormat) throws -> Data { try photograph.encoded(as: format) }
        let sources: [(name: String, data: Data, type: String, bar: Double, count: Int)] = [
            ("baseline", try file(.jpeg(quality: 90)), "jpg", 0.4, 8),
            ("progressive", try file(.jpeg(quality: 90, isProgressive: true)), "jpg", 0.3, 6),
            ("webp", try file(.webp(quality: 85)), "webp", 0.3, 4), ("png", try file(.png), "png", 0.3, 4),
        ]
        for source in sources {
            let contest = try TogetherContest(
                bench, "serve-together-\(source.name)", of: (source.data, source.type),
                count: bench.isQuick ? 4 : source.count)
            try await contest.compareWithAlone(.atMost(source.bar))
            if source.type == "jpg" { try await contest.compareWithVips(.atMost(0.45)) }
            try await contest.compareQuality()
        }
        for (number, file) in Photographs.found.prefix(bench.isQuick ? 2 : 12).enumerated() {
            let contest = try TogetherContest(
                bench, "serve-together-photograph-\(number + 1)", of: (try Data(contentsOf: file), "jpg"), count: 1)
            try await contest.compareQuality()
        }
    }
}

/// Five sizes of each photograph in a folder, by a server that decodes once for them, and by one that does not.
private final class TogetherContest {
    private static let widths = [160, 320, 480, 640, 800]

    private let bench: Bench
    private let name: String
    private let folder: PhotoFolder
    private let subject: QualitySubject
    private let client = ThumbnailClient(connections: widths.count)
    private let together: CalotypeProcess
    private let alone: CalotypeProcess
    private var asked = 0

    init(_ bench: Bench, _ name: String, of photo: (data: Data, type: String), count: Int) throws {
        (self.bench, self.name) = (bench, name)
        folder = try PhotoFolder(photo.data, type: photo.type, count: count)
        subject = try QualitySubject(photo.data)
        together = try .serve(root: folder.path, options: ["--log", "none"])
        alone = try .serve(root: folder.path, options: ["--log", "none", "--no-shared-decodes"])
    }

    func compareWithAlone(_ bar: Bar) async throws {
        try await bench.compare(
            name, with: "--no-shared-decodes", unit: "ms", bar: bar, pairs: bench.isQuick ? 5 : 9
        ) {
            try await millisecondsEach(together)
        } baseline: {
            try await millisecondsEach(alone)
        }
    }

    func compareWithVips(_ bar: Bar) async throws {
        guard let vips = Vips.shared else { return bench.noteMissingVips(name) }
        try await bench.compare(
            name, with: "five thumbnails by libvips \(vips.version)", unit: "ms", bar: bar,
            pairs: bench.isQuick ? 5 : 9
        ) {
            try await millisecondsEach(together)
        } baseline: {
            var sum = 0.0
            for width in Self.widths {
                let maker = VipsThumbnails(vips: vips, directory: folder.path, width: width)
                sum += try await maker.makeAll(of: folder.names)
            }
            return sum * 1e3 / Double(folder.names.count)
        }
    }

    /// Compares the size that loses most.
    func compareQuality() async throws {
        let shared = try await files(of: folder.names[0], by: together),
            single = try await files(of: folder.names[0], by: alone)
        let pairs = try zip(shared, single).map { (ours: try similarity($0), baseline: try similarity($1)) }
        guard let worst = pairs.min(by: { $0.ours - $0.baseline < $1.ours - $1.baseline }) else { return }
        bench.report("\(name)-ssim", with: "each size alone", unit: "SSIM", bar: .atLeast(0.999), [worst])
        let equal = zip(shared, single).count { $0 == $1 }
        bench.printer.note("\(name): \(equal) of \(pairs.count) sizes have the bytes that they have alone")
    }

    private func similarity(_ file: Data) throws -> Double {
        subject.similarity(of: try DecoderRegistry.standard.decode(file))
    }

    private func millisecondsEach(_ server: CalotypeProcess) async throws -> Double {
        try folder.renew()
        // Each request reads a file by itself that has just changed.
        try await Task.sleep(for: .milliseconds(1100))
        let start = try server.tree.processorSeconds()
        for photo in folder.names { _ = try await files(of: photo, by: server, as: "jpg") }
        return (try server.tree.processorSeconds() - start) * 1e3 / Double(folder.names.count)
    }

    /// Asks for all sizes at once.
    private func files(of photo: String, by server: CalotypeProcess, as format: String = "png") async throws -> [Data] {
        asked += 1
        let urls = try Self.widths.map {
            server.url + (try ThumbnailURL.path("local:///\(photo)", width: $0, format: format, buster: "\(asked)"))
        }
        let tasks = urls.map { url in Task { [client] in try await client.thumbnail(url) } }
        var files: [Data] = []
        for task in tasks { files.append(try await task.value) }
        return files
    }
}
