import CalotypeBase
import CalotypeCodecs
import CalotypeListener
import CalotypeServer
import CalotypeURLs

extension RenditionServer.Options {
    /// The flags of a server, by its parts, in the order of the help.
    static let flags =
        SourceOptions.flags + URLSigner.flags + RenditionGrammar.flags + ServingOptions.flags + ImaginaryOptions.flags
        + StoreOptions.flags
        + FarOptions.flags + MakingOptions.flags + MemoryOptions.flags + ServeOperation.flags + PurgeOptions.flags

    /// Reads the flags of each part but the key, and those of purges: other tasks may run as a user who cannot read the token.
    mutating func read(_ arguments: Arguments) throws(UsageError) {
        try serving.read(arguments)
        try stores.read(arguments)
        try sources.read(arguments)
        if let image = sources.allowed.fallback {
            do throws(RenditionError) {
                try serving.grammar.addDefaults("fiu:\(ByteString(base64: image.url.bytes))")
            } catch { throw arguments.error(.fallback, error.message) }
        }
        far = try arguments.far()
        try memory.read(arguments)
        try making.read(arguments, shares)
    }

    /// Divides the process's file descriptors. Call this when the other options are known.
    mutating func divideDescriptors() throws(ServerLimits.TooFew) {
        let limits = try ServerLimits.ofProcess { descriptors in
            ServerLimits.ofThumbnails(
                descriptors: descriptors, stores: stores.folder == nil ? 0 : 2,
                others: keptDescriptors(of: DescriptorBudget(limit: descriptors)))
        }
        sources.silentLimit = limits.waiting
        serving.listener.threads = min(serving.listener.threads, limits.threads)
        serving.listener.connectionLimit = min(limits.connections, serving.clientLimit)
        serving.listener.keptDescriptors = limits.kept
    }
}
