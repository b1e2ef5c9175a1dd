import Calotype
import CalotypeStore

/// Loads and writes the images of one command line, a limited number at a time.
struct FetchRun: Sendable {
    let addresses: [String]
    let destination: Destination
    let recipe: Recipe
    let network: NetworkOptions
    let parallel: Int
    let overwrites: Bool
    let report: FetchReport

    func perform(_ context: Context) async -> ExitStatus {
        let meter = Meter()
        let loader = network.makeLoader(
            parallel: parallel, meter: meter, context, isVerbose: report.isVerbose)
        let maker = ImageFileMaker(loader: loader, network: network, recipe: recipe)
        let names = FileNames()
        let jobs = addresses.map { FetchJob($0, format: recipe.format, names: names) }
        let progress = RunProgress(total: jobs.count, meter: meter, console: context.console)
        await progress.shown {
            await BoundedRun.perform(jobs, atOnce: parallel) { job in
                await outcome(of: job, maker, names, context)
            } onEnd: { outcome in
                progress.note(outcome.end)
                report.add(outcome)
            }
        }
        await loader.diskStore?.closeForGood()
        report.finish(progress, isInterrupted: Task.isCancelled)
        return progress.failed == 0 ? .success : .failure
    }

    private func outcome(
        of job: FetchJob, _ maker: ImageFileMaker, _ names: FileNames, _ context: Context
    ) async -> FetchOutcome {
        let clock = ContinuousClock()
        let start = clock.now
        do throws(Failure) {
            guard let address = job.address else { throw job.problem ?? .cancelled }
            try checkIsFree(job, context)
            let file = try await picture(address, job, maker)
            // Write nothing more after Ctrl-C.
            if Task.isCancelled { throw .cancelled }
            let path = try write(file, job, names, context)
            return FetchOutcome(job: job, result: .success((file, path)), duration: clock.now - start)
        } catch {
            return FetchOutcome(job: job, result: .failure(error), duration: clock.now - start)
        }
    }

    private func picture(_ address: Address, _ job: FetchJob, _ maker: ImageFileMaker) async throws(Failure)
        -> ImageFile
    {
        guard case .file(let path) = destination else { return try await maker.file(for: address, name: job.name) }
        return try await maker.file(for: address, path: path)
    }

    /// Throws before any byte is loaded if the final name is known already, and taken.
    private func checkIsFree(_ job: FetchJob, _ context: Context) throws(Failure) {
        let file: OutputFile
        switch destination {
        case .file(let path): file = outputFile(path, context)
        case .directory(let directory) where FileFormat(fileName: job.name) != nil:
            file = outputFile(directory, job.name, context)
        default: return
        }
        do throws(FileError) { try file.checkIsFree() } catch { throw Failure(error) }
    }

    /// - Returns: the path; `nil` for standard output.
    private func write(
        _ file: ImageFile, _ job: FetchJob, _ names: FileNames, _ context: Context
    ) throws(Failure) -> String? {
        let output: OutputFile
        switch destination {
        case .standardOutput:
            context.console.write(file.data)
            return nil
        case .file(let path): output = outputFile(path, context)
        case .directory(let directory):
            var name = file.format.named(job.name)
            if name != job.name { name = names.claim(name) }
            output = outputFile(directory, name, context)
        }
        do throws(FileError) { try output.write(file.data) } catch { throw Failure(error) }
        return output.path
    }

    private func outputFile(_ directory: String, _ name: String, _ context: Context) -> OutputFile {
        outputFile(Destination.path(directory, name), context)
    }

    private func outputFile(_ path: String, _ context: Context) -> OutputFile {
        OutputFile(path: path, overwrites: overwrites, temporaryFiles: context.temporaryFiles)
    }
}
