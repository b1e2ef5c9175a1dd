import Calotype
import CalotypeBase
import CalotypeCodecs

/// One image of a run: its input, and the name of its output.
struct ImageJob: Sendable {
    var input: ImageInput
    /// The image's position in the run, from 1, with leading zeros.
    let number: String
    /// The name of a downloaded file; `nil` if a template makes the name, or if the URL is invalid. Jobs claim names in
    /// the order of the command line, so that every run has the same names.
    let claimedName: String?

    var label: String { Address.label(of: input.name) }

    private init(_ input: ImageInput, at index: Int, of count: Int, claimedName: String? = nil) {
        let number = "\(index + 1)"
        self.input = input
        self.number = String(repeating: "0", count: "\(count)".count - number.count) + number
        self.claimedName = claimedName
    }

    static func jobs(_ inputs: [ImageInput]) -> [ImageJob] {
        inputs.enumerated().map { ImageJob($1, at: $0, of: inputs.count) }
    }

    static func downloads(_ addresses: [ByteString], format: FileFormat?, names: FileNames) -> [ImageJob] {
        addresses.enumerated().map { index, text in
            do throws(Failure) {
                let name = FileName.of(try Address(text, allowsPaths: false).url)
                return ImageJob(
                    ImageInput(name: text), at: index, of: addresses.count,
                    claimedName: names.claim(format?.imageFormat.named(name) ?? name))
            } catch {
                return ImageJob(ImageInput(name: text, problem: error), at: index, of: addresses.count)
            }
        }
    }

    func path(_ template: NameTemplate, _ result: ImageConverter.Result) -> LocalPath {
        below(
            template.name([
                .name: input.stem, .sourceExt: sourceExt, .number: ByteString(number), .width: "\(result.size.width)",
                .height: "\(result.size.height)", .ext: ByteString(result.format.suffix.dropFirst()),
            ]))
    }

    /// The format that the name shows, or JPEG for a camera's raw file; `nil` for another name. A download without a known
    /// extension becomes a JPEG, and a PNG if it has transparency.
    var likelyFormat: FileFormat? {
        let name = claimedName.map { ByteString($0) } ?? input.fileName
        return FileName.imageFormat(name) == .cameraRaw ? .jpeg : FileFormat(fileName: name)
    }

    /// Returns the path as known before decoding: placeholders such as {width}, whose values are unknown, remain.
    func plannedPath(_ template: NameTemplate, _ format: FileFormat?) -> LocalPath {
        var values: [NameTemplate.Placeholder: ByteString] = [
            .name: input.stem, .sourceExt: sourceExt, .number: ByteString(number),
        ]
        if let likely = format ?? likelyFormat { values[.ext] = ByteString(likely.imageFormat.suffix.dropFirst()) }
        return below(template.name(values))
    }

    private var sourceExt: ByteString { ByteString(FileName.suffix(input.fileName).dropFirst()) }

    private func below(_ name: ByteString) -> LocalPath { input.folder.appending(name: name) }

    /// Returns the jobs, in which those with one output path have a problem: they would replace each other. Paths count as
    /// equal if only {width} or {height} could make a difference.
    ///
    /// - Parameter reads: Returns whether this build reads a format. An image in another one has no output.
    /// - Throws: If no job could write anything.
    static func withCheckedNames(
        _ jobs: [ImageJob], in folder: LocalPath, _ template: NameTemplate, format: FileFormat?,
        _ arguments: Arguments, reads: (ImageFormat) -> Bool = DecoderRegistry.standard.reads
    ) throws(UsageError) -> [ImageJob] {
        var places: [ByteString: [Int]] = [:]
        for (index, job) in jobs.enumerated() where job.input.problem == nil {
            guard FileName.imageFormat(job.input.fileName).map(reads) ?? true else { continue }
            places[FileNames.key(job.plannedPath(template, format).bytes), default: []].append(index)
        }
        var checked = jobs
        for rivals in places.values where rivals.count > 1 {
            let differ = Set(rivals.map { jobs[$0].sourceExt }).count == rivals.count
            let remedy = differ ? "{source-ext}" : "{number}"
            for index in rivals {
                let other = jobs[rivals[0] == index ? rivals[1] : rivals[0]]
                let output = Destination.path(folder, jobs[index].plannedPath(template, format))
                checked[index].input.problem = Failure(
                    code: "nameTaken", "\(other.label) would be written to \(output), too; put \(remedy) into --name")
            }
        }
        if !jobs.isEmpty, checked.allSatisfy({ $0.input.problem != nil }),
            let first = checked.first(where: { $0.input.problem?.code == "nameTaken" }),
            let problem = first.input.problem
        {
            throw arguments.error("\(first.label): \(problem)")
        }
        return checked
    }
}

struct ImageOutcome: Sendable {
    enum End: Sendable {
        /// The output was written; `path` is `nil` for standard output.
        case written(ImageConverter.Result, path: LocalPath?, SourceData)
        /// The output is up to date: the same recipe made it from the same version of the input.
        case skipped(path: LocalPath)
    }

    let job: ImageJob
    let result: Result<End, Failure>
    let duration: Duration
}
