/// One of a run's images: the URL requested, and the planned name of the file.
struct FetchJob: Sendable {
    /// As written on the command line.
    let text: String
    /// The address, or `nil` if the text is invalid; `problem` has the reason.
    let address: Address?
    let problem: Failure?
    /// The file's name, claimed in the order of the command line, so that every run gives the same names.
    let name: String

    /// The URL, shortened for messages.
    var label: String { Address.label(of: text) }

    init(_ text: String, format: FileFormat?, names: FileNames) {
        self.text = text
        do throws(Failure) {
            let address = try Address(text, allowsPaths: false)
            var name = FileName.of(address.url)
            if let format { name = format.imageFormat.named(name) }
            self.address = address
            self.name = names.claim(name)
            problem = nil
        } catch {
            address = nil
            name = ""
            problem = error
        }
    }
}

/// The outcome of one image.
struct FetchOutcome: Sendable {
    let job: FetchJob
    let result: Result<(file: ImageFile, path: String?), Failure>
    let duration: Duration

    var end: RunProgress.End {
        switch result {
        case .success(let written): .written(written.file.data.count)
        case .failure(let failure): failure.isCancelled ? .cancelled : .failed
        }
    }
}
