import Calotype
import CalotypeBase

/// A run that makes and writes the images of one command line, a limited number at a time. `fetch` names files after
/// their URLs, and writes the bytes unchanged unless the recipe changes them.
struct ImageRun: Sendable {
    let jobs: [ImageJob]
    let destination: Destination
    let naming: Naming
    let recipe: Recipe
    var keepsMotion = false
    let network: NetworkOptions
    let parallel: Int
    let overwrites: Bool
    var skipsUnchanged = false
    let report: RunReport

    enum Naming: Sendable {
        /// Names taken from the URLs. Duplicates are numbered.
        case downloads(FileNames)
        case template(NameTemplate)
    }

    func perform(_ context: Context) async -> ExitStatus {
        guard network.canIsolate(context.console) else { return .failure }
        let meter = Meter()
        let loader = network.makeLoader(parallel: parallel, meter: meter, context, isVerbose: report.isVerbose)
        let work = ImageWork(
            run: self, sources: SourceReader(loader: loader, network: network),
            converter: ImageConverter(
                recipe, keepsMotion: keepsMotion, loader.options,
                threads: report.isOfDownloads ? loader.options.codecThreads : parallel),
            manifest: skipsUnchanged ? OutputManifest(folder: destination.folder) : nil, context: context)
        let progress = RunProgress(
            total: jobs.count, parallel: parallel, meter: meter, countsDownloads: report.isOfDownloads,
            console: context.console)
        await progress.shown(if: report.isOfDownloads || jobs.count > 1) {
            await performJobs { job in
                await work.outcome(of: job)
            } onEnd: { outcome in
                progress.note(outcome.result)
                report.add(outcome)
            }
        }
        work.saveManifest()
        await loader.diskStore?.closeForGood()
        report.finish(progress, isInterrupted: Task.isCancelled)
        return progress.failed == 0 ? .success : .failure
    }

    private func performJobs(
        _ work: @escaping @Sendable (ImageJob) async -> ImageOutcome, onEnd: (ImageOutcome) -> Void
    ) async {
        await withTaskGroup(of: ImageOutcome.self) { group in
            for job in jobs.prefix(parallel) { group.addTask { await work(job) } }
            var waiting = jobs.dropFirst(parallel)
            while let outcome = await group.next() {
                onEnd(outcome)
                if !Task.isCancelled, let job = waiting.popFirst() { group.addTask { await work(job) } }
            }
        }
    }
}

private struct ImageWork: Sendable {
    let run: ImageRun
    let sources: SourceReader
    let converter: ImageConverter
    let manifest: OutputManifest?
    let context: Context
    /// The paths written so far. Two results may get the same path if only decoding determines their extensions.
    let written = FileNames()

    func outcome(of job: ImageJob) async -> ImageOutcome {
        let start = ContinuousClock.now
        let result: Result<ImageOutcome.End, Failure>
        do throws(Failure) { result = .success(try await end(of: job)) } catch { result = .failure(error) }
        return ImageOutcome(job: job, result: result, duration: ContinuousClock.now - start)
    }

    func saveManifest() {
        do throws(FileError) {
            try manifest?.save(context.temporaryFiles)
        } catch {
            context.console.complain("--if-changed: \(error)")
        }
    }

    private func end(of job: ImageJob) async throws(Failure) -> ImageOutcome.End {
        if let problem = job.input.problem { throw problem }
        try checkIsFree(job)
        var stamp = FileTimes(LocalPath(job.input.name))?.stamp
        if let stamp, let path = manifest?.current(job.input, recipe: key(of: job), stamp: stamp) {
            return .skipped(path: path)
        }
        let source = try await sources.source(job.input.name)
        stamp = stamp ?? source.response?.validator?.string
        if let stamp, let path = manifest?.current(job.input, recipe: key(of: job), stamp: stamp) {
            return .skipped(path: path)
        }
        let (result, converted) = try await convert(source, job)
        // Write nothing more after Ctrl-C.
        if Task.isCancelled { throw .cancelled }
        let path = try write(result, job)
        if let stamp, let path {
            manifest?.note(
                job.input, output: path.below, size: result.image.data.count, recipe: key(of: job), stamp: stamp)
        }
        return .written(result, path: path?.whole, converted)
    }

    /// Returns a text with everything, apart from the input, that determines the output.
    private func key(of job: ImageJob) -> String {
        guard case .template(let template) = run.naming else { return run.recipe.key }
        // The position in the run matters only if the name contains it.
        return "\(run.recipe.key) \(run.keepsMotion) \(template.text) \(template.contains(.number) ? job.number : "")"
    }

    /// Converts the source. If its bytes came from the disk cache and are not an intact image, requests them again.
    private func convert(
        _ source: SourceData, _ job: ImageJob
    ) async throws(Failure) -> (ImageConverter.Result, SourceData) {
        do throws(CodecError) {
            return (try await convert(source.data, job), source)
        } catch {
            guard error.code == .notAnImage || error.code == .damaged,
                let replacement = try await sources.replacement(for: source)
            else { throw Failure(error) }
            return try await convert(replacement, job)
        }
    }

    private func convert(_ data: Data, _ job: ImageJob) async throws(CodecError) -> ImageConverter.Result {
        var format = run.recipe.format
        var likely: ImageFormat?
        if case .file(let path) = run.destination { format = format ?? FileFormat(fileName: path.bytes) }
        switch run.naming {
        case .downloads:
            if run.recipe.keepsOriginal {
                let original = try await converter.checked(data)
                guard case .file(let path) = run.destination, !original.format.fits(path.bytes) else { return original }
                guard format != nil else {
                    let name = original.format.rawValue.uppercased()
                    let problem = FileFormat.problem(withFileName: path.bytes)
                    throw CodecError(.unsupported, "the image is a \(name); \(problem)")
                }
            }
            likely = job.claimedName.flatMap { FileFormat(fileName: ByteString($0)) }?.imageFormat ?? .jpeg
        case .template(let template):
            if case .directory = run.destination { format = format ?? template.format }
        }
        return try await converter.convert(data, to: format, likely: likely)
    }

    /// Throws, before any byte is loaded, if the output's path is already known and must not be overwritten.
    private func checkIsFree(_ job: ImageJob) throws(Failure) {
        let path: LocalPath
        switch run.destination {
        case .file(let file): path = file
        case .directory(let folder):
            guard let name = job.claimedName, FileFormat(fileName: ByteString(name)) != nil else { return }
            path = Destination.path(folder, LocalPath(text: name))
        case .standardOutput: return
        }
        do throws(FileError) { try outputFile(path).checkIsFree() } catch { throw Failure(error) }
    }

    /// - Returns: The whole path, and the path relative to the output folder; `nil` for standard output.
    private func write(
        _ result: ImageConverter.Result, _ job: ImageJob
    ) throws(Failure) -> (whole: LocalPath, below: LocalPath)? {
        do throws(FileError) {
            let path: (whole: LocalPath, below: LocalPath)
            switch run.destination {
            case .standardOutput:
                context.console.write(result.image.data)
                return nil
            case .file(let file): path = (file, LocalPath(file.name))
            case .directory(let folder):
                let below = try name(of: result, job, in: folder)
                path = (Destination.path(folder, below), below)
            }
            try checkIsNotInput(path.whole, job)
            if case .directory = run.destination { try Destination.makeFolder(of: path.whole) }
            try outputFile(path.whole).write(result.image.data)
            return path
        } catch {
            throw Failure(error)
        }
    }

    private func name(
        of result: ImageConverter.Result, _ job: ImageJob, in folder: LocalPath
    ) throws(FileError) -> LocalPath {
        switch run.naming {
        case .downloads(let names):
            let claimed = job.claimedName ?? ""
            let name = result.format.named(claimed)
            return LocalPath(text: name == claimed ? name : names.claim(name))
        case .template(let template):
            let name = job.path(template, result)
            guard written.take(name.bytes) else {
                throw FileError("another image of this run was written to \(Destination.path(folder, name))")
            }
            return name
        }
    }

    /// Throws if --if-changed would replace the input by its output, which the next run would convert again.
    private func checkIsNotInput(_ path: LocalPath, _ job: ImageJob) throws(FileError) {
        guard run.skipsUnchanged, let output = FileTimes(path), let input = FileTimes(LocalPath(job.input.name)),
            output.isSameFile(as: input)
        else { return }
        throw FileError("--if-changed does not replace the input; choose another folder")
    }

    private func outputFile(_ path: LocalPath) -> OutputFile {
        OutputFile(path: path, overwrites: run.overwrites, temporaryFiles: context.temporaryFiles)
    }
}
