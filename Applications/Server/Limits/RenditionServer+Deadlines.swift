import Calotype
import CalotypeListener

extension RenditionServer.Options {
    /// Returns the default of ``silentLimit``: at 1,024 descriptors, one silent host has 168 downloads.
    package static func standardSilentLimit(descriptors: Int) -> Int { min(512, max((descriptors - 128) * 3 / 8, 4)) }

    /// Limits the time and the number of downloads, so that a silent origin delays its own sources alone.
    func limitDownloads(_ loader: inout ImageLoaderOptions) {
        loader.clock = clock
        loader.deadline = fetchDeadline
        // The exchanges end a little earlier, so that the cache of sources can still answer with a stale one.
        loader.downloadTime = fetchDeadline * 19 / 20
        loader.silence = .seconds(1)
        loader.silentDownloads = silentLimit
        // Each download belongs to a client or to a revalidation: the queue has room for all of them.
        loader.queueLimit = listener.connectionLimit + 256
    }
}
