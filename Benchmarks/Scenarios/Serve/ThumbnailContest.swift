import CalotypeCodecs
import Foundation

/// Compares `calotype serve` with other programs that make the same thumbnails: 400 pixels wide, from files.
///
/// Each round starts by updating the files' modification times, so that our server reads and hashes every file again.
final class ThumbnailContest {
    private static let width = 400

    private let bench: Bench
    private let name: String
    private let format: String
    private let folder: PhotoFolder
    private let subject: QualitySubject
    private let client = ThumbnailClient()
    private let server: CalotypeProcess
    private var ours: ServedThumbnails

    /// - Parameters:
    ///   - photo: The source, with its file extension.
    ///   - format: The format of the thumbnails.
    ///   - count: The number of thumbnails in a round.
    init(
        _ bench: Bench, _ name: String, of photo: (data: Data, type: String), as format: String = "jpg", count: Int
    ) throws {
        (self.bench, self.name, self.format) = (bench, name, format)
        folder = try PhotoFolder(photo.data, type: photo.type, count: count)
        subject = try QualitySubject(photo.data)
        server = try .serve(root: folder.path)
        ours = ServedThumbnails(server.tree, client) { [root = server.url, width = Self.width] photo, number in
            root + (try ThumbnailURL.path("local:///\(photo)", width: width, format: format, buster: "\(number)"))
        }
    }

    func compareWithThumbor(_ bar: Bar) async throws {
        guard let executable = Thumbor.executable else {
            return bench.printer.note("\(name): thumbor is not installed; Scripts/bench installs it")
        }
        let thumbor = try Thumbor(executable: executable, root: folder.path)
        let filter = format == "jpg" ? "jpeg" : format
        let theirs = ServedThumbnails(thumbor.tree, client) { [root = thumbor.url, width = Self.width] photo, _ in
            "\(root)/unsafe/\(width)x0/filters:format(\(filter))/\(photo)"
        }
        try await compare(with: "thumbor", bar, theirs)
        withExtendedLifetime(thumbor) {}
    }

    func compareWithImageFilter(_ bar: Bar) async throws {
        guard let executable = Nginx.executable, let module = Nginx.imageFilter else {
            return bench.printer.note("\(name): nginx or its image_filter is not installed")
        }
        let nginx = try Nginx(
            executable: executable, .thumbnails(directory: folder.path, width: Self.width, module: module))
        let theirs = ServedThumbnails(nginx.tree, client) { [root = nginx.url] photo, _ in "\(root)/\(photo)" }
        try await compare(with: "image_filter", bar, theirs)
        withExtendedLifetime(nginx) {}
    }

    func compareWithVips() async throws {
        guard let vips = Vips.shared else { return bench.noteMissingVips(name) }
        // Beside the newest, whose decoder of JPEG is the quicker one, HTTP and the isolated decoder may take the rest.
        let bar = Bar.atMost(vips.isNew ? 1 : 0.85)
        try await compare(
            with: "libvips \(vips.version)", bar, VipsThumbnails(vips: vips, directory: folder.path, width: Self.width))
    }

    private func compare(with name: String, _ bar: Bar, _ theirs: some ThumbnailMaker) async throws {
        var theirs = theirs
        let mine = try await similarity(&ours), similarity = try await similarity(&theirs)
        try await bench.compare(
            self.name, with: String(format: "\(name), SSIM %.4f; ours %.4f", similarity, mine), unit: "ms", bar: bar,
            pairs: bench.isQuick ? 5 : 9
        ) {
            try await millisecondsEach(&ours)
        } baseline: {
            try await millisecondsEach(&theirs)
        }
    }

    private func millisecondsEach(_ maker: inout some ThumbnailMaker) async throws -> Double {
        try folder.renew()
        return try await maker.makeAll(of: folder.names) * 1e3 / Double(folder.names.count)
    }

    private func similarity(_ maker: inout some ThumbnailMaker) async throws -> Double {
        let file = try await maker.thumbnail(of: folder.names[0])
        let thumbnail = try DecoderRegistry.standard.decode(file)
        guard thumbnail.width == Self.width else { throw BenchError("a thumbnail has the wrong size") }
        return subject.similarity(of: thumbnail)
    }
}
