import CalotypeBase
import CalotypeServer
import CalotypeURLs

extension FarOptions {
    /// The flags of the far store, in the order of the help.
    static let flags: [Option] = [.far, .farTimeout, .farWrites, .farAge]
}

extension Arguments {
    /// Returns the far store, or `nil` without --far.
    func far() throws(UsageError) -> FarOptions? {
        guard let url = self[.far] else {
            for option in FarOptions.flags where has(option) {
                throw error(option, "the option is for a far store: add --far s3://BUCKET/PREFIX")
            }
            return nil
        }
        var options: FarOptions
        do throws(RenditionError) { options = try FarOptions(ByteString(url)) } catch {
            throw self.error(.far, error.message)
        }
        if let milliseconds = try integer(.farTimeout, in: 1...60_000) { options.timeout = .milliseconds(milliseconds) }
        let writes = FarOptions.Writes.allCases.map { (word: $0.rawValue, value: $0) }
        options.writes = try choice(.farWrites, writes) ?? options.writes
        if let days = try integer(.farAge, in: 1...3650) { options.age = Double(days) * 86_400 }
        return options
    }
}

extension Option {
    static let far = Option(
        "far", nil, "URL",
        help: "Share results with other servers through a bucket, such as s3://results/thumbnails. --s3 has its place.")
    static let farTimeout = Option(
        "far-timeout", nil, "MS",
        help: "Make a result that --far has not answered within this time. The default is 250.")
    static let farWrites = Option(
        "far-writes", nil, "RESULTS", offers: .words(["used", "all", "none"]),
        help: "Write to --far the results that are sent a second time from --store or memory (used, the default), all, "
            + "or none.")
    static let farAge = Option(
        "far-age", nil, "DAYS",
        help: "The age at which the bucket's lifecycle rule deletes results. Those in use are written again at half of "
            + "it. The default is 30.")
}
