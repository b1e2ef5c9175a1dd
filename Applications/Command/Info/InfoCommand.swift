import Calotype
import CalotypeBase
import CalotypeCodecs
import Foundation

struct InfoCommand: Command {
    static let syntax = CommandSyntax(
        name: "info",
        summary: "Print the format, size, colors, frames, date, camera and other facts of images.",
        operands: "FILE|FOLDER|URL...", operandCount: 0...Int.max, offer: .files,
        options: [.from, .null, .table, .json, .isolate] + NetworkOptions.options,
        notes: [
            """
            The facts come from an image's bytes, not from its name or from a server's Content-Type. - is standard \
            input. A folder stands for the images in it and its subfolders, found by extension.
            """
        ],
        examples: [
            ("info photo.jpg https://example.com/logo.png", "a file and a URL"),
            ("info --table photos", "a folder, as a table"), ("info --json *.webp", "as JSON"),
        ])

    private let inputs: [ImageInput]
    private let isJSON: Bool
    private let isTable: Bool
    private let network: NetworkOptions

    init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
        inputs = try ImageInputs(arguments).images
        isJSON = arguments.has(.json)
        isTable = arguments.has(.table)
        network = try NetworkOptions(arguments, context)
        if isJSON, isTable { throw arguments.error("--table and --json exclude each other") }
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
                let facts = try await facts(input.name, sources, loader.options.decoders)
                if isTable {
                    table.add(facts.row)
                } else {
                    context.console.line(facts, isJSON: isJSON)
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

    private func facts(
        _ name: ByteString, _ sources: SourceReader, _ decoders: DecoderRegistry
    ) async throws(Failure) -> PictureFacts {
        let data = try await sources.data(name)
        let source = Address.shown(name)
        do throws(CodecError) {
            let header = try decoders.header(of: data)
            let photo = PhotoFacts(of: data)
            return PictureFacts(
                source: source.displayed, sourceBytes: source.bytesUnlessText, format: header.format.rawValue,
                width: header.uprightSize.width,
                height: header.uprightSize.height, orientation: header.orientation, alpha: header.hasAlpha,
                frames: header.frameCount ?? 1, duration: header.duration / .seconds(1),
                progressive: header.isProgressive, codec: header.codec, bits: header.bitsPerSample,
                profile: decoders.colors(of: data), gainMap: GainMap.isPresent(in: data),
                damaged: FileDamage.isPresent(in: data), date: photo.date, camera: photo.camera,
                artist: photo.artist, copyright: photo.copyright, bytes: data.count)
        } catch {
            throw Failure(error)
        }
    }
}

struct PictureFacts: Record {
    let source: String
    /// The bytes of `source` in Base64, if they are not UTF-8.
    let sourceBytes: Data?
    let ok = true
    let format: String
    /// The image's size in pixels, after rotation to its EXIF orientation.
    let width: Int
    let height: Int
    /// The EXIF orientation, from 1 to 8.
    let orientation: Int
    let alpha: Bool
    let frames: Int
    /// The duration of all frames in seconds; 0 for a still image.
    let duration: Double
    let progressive: Bool
    /// The coding of the pixels, such as "VP8L"; `nil` if the format has only one.
    let codec: String?
    /// The number of bits in each stored sample.
    let bits: Int
    /// The color space of the samples; `nil` if the file names none.
    let profile: String?
    /// Whether the file has a gain map, which results lack.
    let gainMap: Bool
    /// Whether the file lacks its end, or a PNG has a wrong checksum. Its image may decode.
    let damaged: Bool
    /// The local time of the exposure in ISO 8601, the camera, and the credits; `nil` if the file names none.
    let date: String?
    let camera: String?
    let artist: String?
    let copyright: String?
    let bytes: Int

    private var name: ByteString { ByteString(text: source, bytes: sourceBytes) }

    /// The line that is printed without --json and --table. It omits usual values, such as 8 bits.
    var text: OutputLine {
        var facts = ["\(format) \(width)×\(height)", Amounts.bytes(bytes)]
        if let codec, !["baseline", "progressive"].contains(codec) { facts.append(codec) }
        if bits != 8 { facts.append("\(bits) bits") }
        if let profile, !profile.hasPrefix("sRGB") { facts.append(profile) }
        if orientation != 1 { facts.append("orientation \(orientation)") }
        if gainMap { facts.append("gain map (not kept)") }
        if alpha { facts.append("alpha") }
        if frames > 1 {
            facts.append("\(frames) frames in \(duration.formatted(.number.precision(.fractionLength(0...2)))) s")
        }
        if progressive { facts.append("progressive") }
        if damaged { facts.append("damaged") }
        if let date { facts.append(date.replacing("T", with: " ")) }
        if let camera { facts.append(camera) }
        if let artist { facts.append("by \(artist)") }
        if let copyright { facts.append("copyright: \(copyright)") }
        return "\(name: name): \(facts.joined(separator: ", "))"
    }

    static let heading = ["name", "format", "size", "bits", "frames", "colors", "bytes"]
    static let numbers: Set<Int> = [2, 3, 4, 6]

    var row: [OutputLine] {
        let facts = [
            codec.map { "\(format) (\($0))" } ?? format, "\(width)×\(height)", "\(bits)", "\(frames)",
            (profile ?? "-") + (alpha ? ", alpha" : ""), Amounts.bytes(bytes),
        ]
        return [OutputLine(name: name)] + facts.map { OutputLine($0) }
    }
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
}
