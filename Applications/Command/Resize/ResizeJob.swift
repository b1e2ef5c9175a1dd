import CalotypeCodecs

/// One image of a run of `resize`: its input, and the name of its output.
struct ResizeJob: Sendable {
    let input: ImageInput
    /// Its position in the run, from 1, with leading zeros.
    let number: String

    /// The input's name, shortened for messages.
    var label: String { Address.label(of: input.name) }

    static func jobs(_ inputs: [ImageInput]) -> [ResizeJob] {
        let digits = "\(inputs.count)".count
        return inputs.enumerated().map { index, input in
            let number = "\(index + 1)"
            return ResizeJob(
                input: input, number: String(repeating: "0", count: digits - number.count) + number)
        }
    }

    /// Returns the path of the result, relative to the output folder.
    func path(_ template: NameTemplate, _ result: ImageDeveloper.Result) -> String {
        below(
            template.name([
                .name: input.stem, .number: number, .width: "\(result.size.width)", .height: "\(result.size.height)",
                .ext: String(result.format.imageFormat.suffix.dropFirst()),
            ]))
    }

    /// Returns the path as far as it is known before decoding.
    ///
    /// - Parameter format: the output format, if it is known.
    func plannedPath(_ template: NameTemplate, _ format: FileFormat?) -> String {
        var values: [NameTemplate.Placeholder: String] = [.name: input.stem, .number: number]
        let likely = format ?? FileFormat(fileName: input.fileName)
        if let likely { values[.ext] = String(likely.imageFormat.suffix.dropFirst()) }
        return below(template.name(values))
    }

    private func below(_ name: String) -> String { input.folder.isEmpty ? name : "\(input.folder)/\(name)" }

    /// Throws if two inputs have one output, before anything is written.
    ///
    /// Widths and heights are unknown at that time, so they do not distinguish outputs.
    static func checkNames(
        of jobs: [ResizeJob], _ template: NameTemplate, _ format: FileFormat?, _ arguments: Arguments
    ) throws(UsageError) {
        var known: [String: ResizeJob] = [:]
        for job in jobs where job.input.problem == nil {
            let path = job.plannedPath(template, format)
            if let other = known.updateValue(job, forKey: FileNames.key(path)) {
                throw arguments.error(
                    "\(other.label) and \(job.label) would both be written to \(path); put {number} into --name")
            }
        }
    }
}

/// The outcome of one image.
struct ResizeOutcome: Sendable {
    enum End: Sendable {
        /// - path: `nil` for standard output.
        case written(ImageDeveloper.Result, path: String?, origin: ImageOrigin?)
        /// The output is newer than the input, and was made by the same recipe.
        case skipped(path: String)
    }

    let job: ResizeJob
    let result: Result<End, Failure>
    let duration: Duration

    var end: RunProgress.End {
        switch result {
        case .success(.written(let result, _, _)): .written(result.image.data.count)
        case .success(.skipped): .skipped
        case .failure(let failure): failure.isCancelled ? .cancelled : .failed
        }
    }
}
