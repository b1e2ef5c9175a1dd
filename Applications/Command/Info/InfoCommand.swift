import Calotype
import CalotypeBase
import CalotypeCodecs
import CalotypeServer
import CalotypeURLs
import Foundation

struct InfoCommand: Command {
    static let syntax = CommandSyntax(
        name: "info",
        summary: "Print the format, size, colors, frames, date, camera and other facts of images.",
        operands: "FILE|FOLDER|URL...", operandCount: 0...Int.max, offer: .files,
        options: [.from, .null, .table, .json, .facts, .isolate] + NetworkOptions.options,
        notes: [
            """
            The facts come from an image's bytes, not from its name or from a server's Content-Type. - is standard \
            input. A folder stands for the images in it and its subfolders, found by extension. An object of --json has the \
            same members as an answer of calotype serve to a URL of /info, behind source and ok.
            """
        ],
        examples: [
            ("info photo.jpg https://example.com/logo.png", "a file and a URL"),
            ("info --table photos", "a folder, as a table"), ("info --json *.webp", "as JSON"),
            ("info --json --facts bh:4:3/chs:sha256 cat.jpg", "with a BlurHash and a digest"),
        ])

    private let inputs: [ImageInput]
    private let isJSON: Bool
    private let isTable: Bool
    /// The facts of `--json`.
    private let facts: InfoOptions
    private let network: NetworkOptions

    init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
        inputs = try ImageInputs(arguments).images
        isJSON = arguments.has(.json)
        isTable = arguments.has(.table)
        network = try NetworkOptions(arguments, context)
        if isJSON, isTable { throw arguments.error("--table and --json exclude each other") }
        facts = try Self.facts(arguments)
    }

    /// Returns all facts of headers, and those of --facts.
    private static func facts(_ arguments: Arguments) throws(UsageError) -> InfoOptions {
        guard let given = arguments.given(.facts) else { return .ofHeader }
        guard arguments.has(.json) else { throw arguments.error("--facts needs --json") }
        do throws(RenditionError) { return try InfoOptions.ofHeader.adding(given.bytes) } catch {
            throw arguments.error(given, of: .facts, error.message)
        }
    }

    func run(_ context: Context) async -> ExitStatus {
        guard network.canIsolate(context.console) else { return .failure }
        let loader = network.makeLoader(parallel: 1, meter: Meter(), context, isVerbose: false)
        let sources = SourceReader(loader: loader, network: network)
        var status = ExitStatus.success
        var table = Table(PictureFacts.heading, rightAligned: PictureFacts.numbers)
        for input in inputs where !Task.isCancelled {
            do throws(Failure) {
                if let problem = input.problem { throw problem }
                let decoders = loader.options.decoders
                if isJSON {
                    context.console.line(try await json(input.name, sources, decoders, limits: loader.options.limits))
                } else {
                    let facts = try await pictureFacts(input.name, sources, decoders)
                    if isTable { table.add(facts.row) } else { context.console.line(facts.text) }
                }
            } catch {
                status = .failure
                if error.isCancelled { continue }
                context.console.complain("\(Address.label(of: input.name)): \(error)")
                if isJSON { context.console.line(JSON.line(FailedInfo(input.name, error))) }
            }
        }
        if isTable, !inputs.isEmpty { for line in table.lines { context.console.line(line) } }
        await loader.diskStore?.closeForGood()
        return status
    }

    /// Returns the object of an image: its source, and the members of the server's answer.
    private func json(
        _ name: ByteString, _ sources: SourceReader, _ decoders: DecoderRegistry, limits: DecodeLimits
    ) async throws(Failure) -> String {
        let data = try await sources.data(name)
        let source = Address.shown(name)
        let start = JSON.line(FoundInfo(source: source.displayed, sourceBytes: source.bytesUnlessText))
        do throws(CodecError) {
            var found = try ImageFacts(of: data, facts, by: decoders)
            if facts.needsPixels {
                let small = try decoders.decode(data, target: ColorFacts.layout, limits: limits)
                found.colors = try ColorFacts(of: small, facts)
            }
            let members = String(decoding: found.json.dropFirst(), as: UTF8.self)
            return "\(start.dropLast())\(members == "}" ? "" : ",")\(members)"
        } catch {
            throw Failure(error)
        }
    }

    private func pictureFacts(
        _ name: ByteString, _ sources: SourceReader, _ decoders: DecoderRegistry
    ) async throws(Failure) -> PictureFacts {
        let data = try await sources.data(name)
        do throws(CodecError) {
            return PictureFacts(
                name: Address.shown(name), header: try decoders.header(of: data), photo: PhotoFacts(of: data),
                profile: decoders.colors(of: data), gainMap: Self.gainMap(in: data),
                hasCredentials: ContentCredentials.arePresent(in: data), isDamaged: FileDamage.isPresent(in: data),
                bytes: data.count)
        } catch {
            throw Failure(error)
        }
    }

    /// Returns the words about a file's gain map; `nil` if it has none.
    private static func gainMap(in data: Data) -> String? {
        do throws(GainMapFault) {
            guard let source = try GainMap.source(in: data) else {
                return GainMap.isPresent(in: data) ? "gain map (not kept)" : nil
            }
            let other = source.isAmbiguous ? ", not by its other numbers" : ""
            return "gain map (\(source.dialect.rawValue)\(other))"
        } catch {
            return "gain map (dropped for its \(error.rawValue))"
        }
    }
}

/// The facts about an image that a line of text has, or a row of the table.
struct PictureFacts {
    let name: ByteString
    let header: ImageHeader
    let photo: PhotoFacts
    /// The color space of the samples; `nil` if the file names none.
    let profile: String?
    /// The words about the file's gain map; `nil` if it has none.
    let gainMap: String?
    /// Whether the file has content credentials, which results lack.
    let hasCredentials: Bool
    /// Whether the file lacks its end, or a PNG has a wrong checksum. Its image may decode.
    let isDamaged: Bool
    let bytes: Int

    private var frames: Int { header.frameCount ?? 1 }
    private var size: String { "\(header.uprightSize.width)×\(header.uprightSize.height)" }

    /// The line that is printed without --json and --table. It omits usual values, such as 8 bits.
    var text: OutputLine {
        var facts = ["\(header.format.rawValue) \(size)", Amounts.bytes(bytes)]
        if let codec = header.codec, !["baseline", "progressive"].contains(codec) { facts.append(codec) }
        if header.bitsPerSample != 8 { facts.append("\(header.bitsPerSample) bits") }
        if let profile, !profile.hasPrefix("sRGB") { facts.append(profile) }
        if header.orientation != 1 { facts.append("orientation \(header.orientation)") }
        if let gainMap { facts.append(gainMap) }
        if hasCredentials { facts.append("content credentials (not kept)") }
        if header.hasAlpha { facts.append("alpha") }
        if frames > 1 {
            let seconds = header.duration / .seconds(1)
            facts.append("\(frames) frames in \(seconds.formatted(.number.precision(.fractionLength(0...2)))) s")
        }
        if header.isProgressive { facts.append("progressive") }
        if isDamaged { facts.append("damaged") }
        if let date = photo.date { facts.append(date.replacing("T", with: " ")) }
        if let camera = photo.camera { facts.append(camera) }
        if let artist = photo.artist { facts.append("by \(artist)") }
        if let copyright = photo.copyright { facts.append("copyright: \(copyright)") }
        return "\(name: name): \(facts.joined(separator: ", "))"
    }

    static let heading = ["name", "format", "size", "bits", "frames", "colors", "bytes"]
    static let numbers: Set<Int> = [2, 3, 4, 6]

    var row: [OutputLine] {
        let format = header.format.rawValue
        let facts = [
            header.codec.map { "\(format) (\($0))" } ?? format, size, "\(header.bitsPerSample)", "\(frames)",
            (profile ?? "-") + (header.hasAlpha ? ", alpha" : ""), Amounts.bytes(bytes),
        ]
        return [OutputLine(name: name)] + facts.map { OutputLine($0) }
    }
}

/// The beginning of an object about an image.
private struct FoundInfo: Encodable {
    let ok = true
    let source: String
    /// The bytes of `source` in Base64, if they are not UTF-8.
    let sourceBytes: Data?
}

private struct FailedInfo: Encodable {
    let source: String
    let sourceBytes: Data?
    let ok = false
    let error: Failure

    init(_ name: ByteString, _ error: Failure) {
        let name = Address.shown(name)
        (source, sourceBytes, self.error) = (name.displayed, name.bytesUnlessText, error)
    }
}

extension Option {
    fileprivate static let table = Option("table", help: "Print a table with one row per image.")
    fileprivate static let facts = Option(
        "facts", nil, "OPTIONS",
        help:
            "Add facts to those of the header, by the options of the server's URLs, such as bh:4:3/chs:sha256, or remove some, "
            + "such as exif:0. gps:1 adds the place where the photo was taken.")
}
