import Calotype
import CalotypeBase
import CalotypeComparison
import Foundation

struct CompareCommand: Command {
    static let syntax = CommandSyntax(
        name: "compare", summary: "Measure how similar two images of the same size are (SSIMULACRA2, SSIM, PSNR).",
        operands: "A B", operandCount: 2...2, offer: .files,
        options: [.sideBySide, .atLeast, .hdr, .headroom, .overwrite, .maxDecode, .json] + NetworkOptions.options,
        notes: [
            """
            SSIMULACRA2 predicts how people judge: 100 for equal images, about 90 for one that cannot be told from the other, 70 for \
            high and 50 for medium quality. SSIM is the mean structural similarity of luma, 1 for equal images. PSNR is the peak \
            signal-to-noise ratio of all colors in decibels, infinite for equal images, for which --json has null. All compare the \
            pixels as shown, in sRGB, with transparent pixels over white; SSIMULACRA2 over dark and light if both images have them.
            """,
            """
            --hdr applies gain maps, as a display with the headroom of --headroom does, and prints the mean and the largest \
            difference of red, green and blue in steps of PQ with 8 bits, where the white of both images is at 203 nits. An image \
            without a map is as bright as on other displays. The other measures are those without maps.
            """,
            """
            --output writes A and B side by side. With --at-least, for scripts and tests, the status is 1 if the \
            images are less similar.
            """,
        ],
        examples: [
            ("compare photo.jpg small.webp", "two files"),
            ("compare photo.jpg small.webp --output both.png", "also an image of both, to look at"),
            ("compare golden.png result.png --at-least ssim=0.99", "in a test"),
            ("compare photo.jpg small.jpg --hdr --headroom 2", "as a display with four times the light shows both"),
        ])

    private let first: ByteString
    private let second: ByteString
    private let output: LocalPath?
    private let overwrites: Bool
    private let limit: QualityTarget?
    private let isJSON: Bool
    /// Whether gain maps are applied, too.
    private let isHDR: Bool
    /// In stops; `nil` for that of the maps.
    private let headroom: Double?
    private let network: NetworkOptions

    init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
        (first, second) = (arguments.operands[0], arguments.operands[1])
        if first == "-", second == "-" { throw arguments.error("standard input (-) can be read only once") }
        output = arguments.path(.sideBySide)
        overwrites = arguments.has(.overwrite)
        isJSON = arguments.has(.json)
        network = try NetworkOptions(arguments, context)
        limit = try QualityTarget(.atLeast, arguments)
        isHDR = arguments.has(.hdr)
        headroom = try arguments.value(.headroom, wanted: "stops from 0 to 16, such as 2 or 2.3") { text in
            Double(text).flatMap { (0...16).contains($0) ? $0 : nil }
        }
        if headroom != nil, !isHDR { throw arguments.error("--headroom requires --hdr") }
        if let output, FileFormat(fileName: output.bytes) == nil {
            throw arguments.error("--output \(FileFormat.problem(withFileName: output.bytes, remedy: ""))")
        }
    }

    func run(_ context: Context) async -> ExitStatus {
        let loader = network.makeLoader(parallel: 2, meter: Meter(), context, isVerbose: false)
        var status = ExitStatus.success
        do throws(Failure) {
            let record = try await compare(loader, context)
            context.console.line(record, isJSON: isJSON)
            if record.reached == false { status = .failure }
        } catch {
            if !error.isCancelled { context.console.complain("compare: \(error)") }
            status = .failure
        }
        await loader.diskStore?.closeForGood()
        return status
    }

    private func compare(_ loader: ImageLoader, _ context: Context) async throws(Failure) -> ComparisonRecord {
        let file = output.map {
            OutputFile(path: $0, overwrites: overwrites, temporaryFiles: context.temporaryFiles)
        }
        do throws(FileError) { try file?.checkIsFree() } catch { throw Failure(error) }
        let sources = SourceReader(loader: loader, network: network)
        let codecs = BlockingPool(threads: 2)
        let shown = (
            try await bitmap(first, sources, codecs, loader.options),
            try await bitmap(second, sources, codecs, loader.options)
        )
        let record: ComparisonRecord
        let sheet: Data?
        do throws(CodecError) {
            (record, sheet) = try await codecs.run { () throws(CodecError) in
                let one = try shown.0.converted(to: .sRGB), other = try shown.1.converted(to: .sRGB)
                guard let comparison = ImageComparison(one, other), let score = PerceptualSimilarity.score(one, other)
                else {
                    let sizes = "\(one.width)×\(one.height) and \(other.width)×\(other.height)"
                    throw CodecError(
                        .unsupported, "the images differ in size (\(sizes)); make them equal with calotype resize")
                }
                let range = isHDR ? RangeComparison(shown.0, shown.1, headroom: headroom) : nil
                let record = ComparisonRecord(
                    first: first, second: second, comparison, score: score, range, size: one.size, limit)
                let format = output.flatMap { FileFormat(fileName: $0.bytes) } ?? .png
                let sheet = try output.map { (_) throws(CodecError) in
                    try CompareCommand.sheet(of: one, other).encoded(as: format.standardEncoding)
                }
                return (record, sheet)
            }
        } catch {
            throw Failure(error)
        }
        if Task.isCancelled { throw .cancelled }
        if let sheet { do throws(FileError) { try file?.write(sheet) } catch { throw Failure(error) } }
        return record
    }

    private static func sheet(of left: Bitmap, _ right: Bitmap) throws(CodecError) -> Bitmap {
        let both = PixelSize(width: 2 * left.width + 8, height: left.height)
        let gray = ImageColor(red: 0x80, green: 0x80, blue: 0x80)
        return try left.applying(ImageSteps.Pad(to: both, gravity: .left, color: gray)).applying(
            ImageSteps.Overlay(right, gravity: .right))
    }

    /// Decodes at full size: a comparison must not measure a scaled image.
    private func bitmap(
        _ name: ByteString, _ sources: SourceReader, _ codecs: BlockingPool, _ options: ImageLoaderOptions
    ) async throws(Failure) -> Bitmap {
        do throws(Failure) {
            let data = try await sources.data(name)
            var limits = options.limits
            limits.maxBitmapBytes = nil
            do throws(CodecError) {
                let target = isHDR ? GamutLayout(nil, in: .displayP3, gainMapSide: 1) : nil
                let plan = try options.decoders.plan(for: data, target: target, limits: limits)
                return try await codecs.run { () throws(CodecError) in try plan.decode() }
            } catch {
                throw Failure(error)
            }
        } catch {
            throw Failure(code: error.code, "\(Address.label(of: name)): \(error.message)", status: error.status)
        }
    }
}

private struct ComparisonRecord: Record, Sendable {
    let first: String
    let second: String
    /// The bytes of `first` and `second` in Base64, if they are not UTF-8.
    let firstBytes: Data?
    let secondBytes: Data?
    let width: Int
    let height: Int
    let equal: Bool
    let ssimulacra2: Double
    let ssim: Double
    /// In decibels; infinite for equal images.
    let psnr: JSONNumber
    /// The difference with gain maps; `nil` without --hdr.
    let hdr: HDRRecord?
    /// Whether the images reach the similarity of --at-least; `nil` without that option.
    let reached: Bool?
    /// The difference to the target, in the target's unit; `nil` without a target, or if the images reach it.
    let shortfall: Double?
    private let target: QualityTarget?

    private enum CodingKeys: CodingKey {
        case first, second, firstBytes, secondBytes, width, height, equal, ssimulacra2, ssim, psnr, hdr, reached,
            shortfall
    }

    init(
        first: ByteString, second: ByteString, _ comparison: ImageComparison, score: Double, _ range: RangeComparison?,
        size: PixelSize, _ limit: QualityTarget?
    ) {
        let (first, second) = (Address.shown(first), Address.shown(second))
        (self.first, self.second) = (first.displayed, second.displayed)
        (firstBytes, secondBytes) = (first.bytesUnlessText, second.bytesUnlessText)
        (width, height) = (size.width, size.height)
        equal = comparison.isEqual
        ssimulacra2 = score
        ssim = comparison.similarity
        psnr = JSONNumber(value: comparison.signalToNoise)
        hdr = range.map { HDRRecord(headroom: $0.headroom, mean: $0.mean, max: $0.max) }
        let missing = limit.flatMap { limit in limit.measure.value(score, comparison).map { limit.limit - $0 } }
        reached = missing.map { $0 <= 0 }
        shortfall = missing.flatMap { $0 > 0 ? $0 : nil }
        target = limit
    }

    var text: OutputLine {
        let names: OutputLine = "\(name: name(first, firstBytes)) and \(name: name(second, secondBytes))"
        if equal { return "\(names): equal\(range)" }
        let measures =
            "SSIMULACRA2 \(Amounts.decimal(ssimulacra2, 2)), SSIM \(Amounts.decimal(ssim, 4)), PSNR \(Amounts.decimal(psnr.value, 2)) dB"
        return "\(names): \(measures)\(range)\(lack)"
    }

    private var range: String {
        guard let hdr else { return "" }
        let (mean, most) = (Amounts.decimal(hdr.mean, 2), Amounts.decimal(hdr.max, 1))
        let stops = Amounts.decimal(hdr.headroom, 2)
        return "; at \(stops) stops of headroom PQ differs by \(mean) of 255, \(most) at most"
    }

    private func name(_ text: String, _ bytes: Data?) -> ByteString { ByteString(text: text, bytes: bytes) }

    private var lack: String {
        guard let shortfall, let target else { return "" }
        // Rounds up, so that a shortfall is never printed as zero.
        let digits = target.measure.digits
        let step = pow(10, Double(digits))
        return "; \(Amounts.decimal((shortfall * step).rounded(.up) / step, digits)) short of \(target)"
    }
}

private struct HDRRecord: Encodable, Sendable {
    /// The headroom of the display in stops.
    let headroom: Double
    /// In steps of PQ with 8 bits.
    let mean: Double
    let max: Double
}

extension Option {
    fileprivate static let hdr = Option("hdr", help: "Also compare what an HDR display shows, with gain maps applied.")
    fileprivate static let headroom = Option(
        "headroom", nil, "STOPS",
        help: "The headroom of that display, from 0 to 16 stops. The default is where the maps apply as a whole.")
    fileprivate static let sideBySide = Option(
        "output", "o", "FILE", offers: .files, takesBytes: true,
        help: "Write both images side by side, as \(FileFormat.list(FileFormat.allCases, word: "or")).")
    fileprivate static let atLeast = Option(
        "at-least", nil, "MEASURE", offers: .words(["ssimulacra2=", "ssim=", "psnr="]),
        help: "Fail unless the similarity is at least this: ssimulacra2=75 (points), ssim=0.98 or psnr=40 (decibels).")
}
