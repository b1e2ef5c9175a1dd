import Calotype
import CalotypeCodecs
import Foundation

/// Makes and writes the images of one command line, a limited number at a time.
struct ResizeRun: Sendable {
    let jobs: [ResizeJob]
    let destination: Destination
    let template: NameTemplate
    let recipe: Recipe
    let keepsMotion: Bool
    let network: NetworkOptions
    let parallel: Int
    let overwrites: Bool
    let skipsUnchanged: Bool
    let report: ResizeReport

    func perform(_ context: Context) async -> ExitStatus {
        let loader = network.makeLoader(parallel: parallel, meter: Meter(), context, isVerbose: report.isVerbose)
        let work = ResizeWork(
            run: self, sources: SourceReader(loader: loader, network: network),
            developer: ImageDeveloper(recipe, keepsMotion: keepsMotion, loader.options, threads: parallel),
            made: skipsUnchanged ? MadeFiles(folder: destination.folder) : nil, context: context)
        let progress = RunProgress(total: jobs.count, meter: nil, console: context.console)
        await progress.shown(if: jobs.count > 1) {
            await BoundedRun.perform(jobs, atOnce: parallel) { job in
                await work.outcome(of: job)
            } onEnd: { outcome in
                progress.note(outcome.end)
                report.add(outcome)
            }
        }
        work.remember()
        await loader.diskStore?.closeForGood()
        report.finish(progress, isInterrupted: Task.isCancelled)
        return progress.failed == 0 ? .success : .failure
    }
}

/// Takes one image from its bytes to its file.
private struct ResizeWork: Sendable {
    let run: ResizeRun
    let sources: SourceReader
    let developer: ImageDeveloper
    let made: MadeFiles?
    let context: Context
    /// The paths written so far: two results may have one path if their formats are known only after decoding.
    let written = FileNames()

    func outcome(of job: ResizeJob) async -> ResizeOutcome {
        let clock = ContinuousClock()
        let start = clock.now
        do throws(Failure) {
            let end = try await end(of: job)
            return ResizeOutcome(job: job, result: .success(end), duration: clock.now - start)
        } catch {
            return ResizeOutcome(job: job, result: .failure(error), duration: clock.now - start)
        }
    }

    func remember() {
        do throws(FileError) {
            try made?.save(context.temporaryFiles)
        } catch {
            context.console.complain("--if-changed: \(error)")
        }
    }

    private func end(of job: ResizeJob) async throws(Failure) -> ResizeOutcome.End {
        if let problem = job.input.problem { throw problem }
        try checkIsFree(job)
        let recipe = "\(run.recipe.key) \(run.keepsMotion) \(run.template.text) \(job.number(in: run.template))"
        var stamp = FileTimes(job.input.name)?.stamp
        if let stamp, let path = made?.current(job.input, recipe: recipe, stamp: stamp) { return .skipped(path: path) }
        let source = try await sources.source(job.input.name)
        stamp = stamp ?? source.validator
        if let stamp, let path = made?.current(job.input, recipe: recipe, stamp: stamp) { return .skipped(path: path) }
        let result: ImageDeveloper.Result
        do throws(CodecError) {
            result = try await developer.develop(source.data, as: format(of: job))
        } catch {
            throw Failure(error)
        }
        // Write nothing more after Ctrl-C.
        if Task.isCancelled { throw .cancelled }
        let path = try write(result, job)
        if let stamp, let path { made?.note(job.input, output: path.below, recipe: recipe, stamp: stamp) }
        return .written(result, path: path?.whole, origin: source.origin)
    }

    /// Returns the format that the output's name or template determines.
    private func format(of job: ResizeJob) -> FileFormat? {
        switch run.destination {
        case .standardOutput: run.recipe.format
        case .file(let path): FileFormat(fileName: path)
        case .directory: run.template.format
        }
    }

    /// Throws before any byte is decoded if the output is taken.
    private func checkIsFree(_ job: ResizeJob) throws(Failure) {
        guard case .file(let path) = run.destination else { return }
        do throws(FileError) { try outputFile(path).checkIsFree() } catch { throw Failure(error) }
    }

    /// - Returns: the path as a whole and relative to the folder; `nil` for standard output.
    private func write(
        _ result: ImageDeveloper.Result, _ job: ResizeJob
    ) throws(Failure) -> (whole: String, below: String)? {
        do throws(FileError) {
            switch run.destination {
            case .standardOutput:
                context.console.write(result.image.data)
                return nil
            case .file(let path):
                try checkIsNotInput(path, job)
                try outputFile(path).write(result.image.data)
                return (path, (path as NSString).lastPathComponent)
            case .directory(let folder):
                let below = job.path(run.template, result)
                let path = Destination.path(folder, below)
                guard written.take(below) else { throw FileError("another image of this run was written to \(path)") }
                try checkIsNotInput(path, job)
                try Destination.makeFolder(of: path)
                try outputFile(path).write(result.image.data)
                return (path, below)
            }
        } catch {
            throw Failure(error)
        }
    }

    /// Throws if the output is the input: each run would take its own result for a changed input, and degrade it.
    private func checkIsNotInput(_ path: String, _ job: ResizeJob) throws(FileError) {
        guard run.skipsUnchanged, let output = FileTimes(path), let input = FileTimes(job.input.name),
            output.isSameFile(as: input)
        else { return }
        throw FileError("--if-changed does not replace the input itself; choose another folder")
    }

    private func outputFile(_ path: String) -> OutputFile {
        OutputFile(path: path, overwrites: run.overwrites, temporaryFiles: context.temporaryFiles)
    }
}

extension ResizeJob {
    /// Returns the number if the template contains it: then another position in the run means another name.
    fileprivate func number(in template: NameTemplate) -> String { template.contains(.number) ? number : "" }
}
