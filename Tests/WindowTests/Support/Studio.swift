#if GTK
    import Calotype
    import CalotypeGTK
    import CalotypeStore
    import CalotypeTesting
    import CalotypeTransport
    import CalotypeUI
    import Foundation

    /// An origin on this machine and a loader for it, without a disk cache.
    struct Studio {
        let origin: OriginServer
        var options: RemoteImageOptions

        init() throws {
            origin = try OriginServer()
            var options = ImageLoaderOptions.ephemeral
            // An interrupted download must show as an error, not be resumed silently.
            options.resumptions = 0
            options.retry = .never
            options.respondsToMemoryPressure = false
            self.options = RemoteImageOptions(loader: ImageLoader(options))
        }

        /// Returns options with a disk store, and a clock that the test moves.
        func options(overDisk folder: String, clock: ManualClock) -> RemoteImageOptions {
            var options = ImageLoaderOptions.ephemeral
            options.retry = .never
            options.respondsToMemoryPressure = false
            options.wallClock = clock.wall
            options.disk = .store(DiskStore(directory: folder, wallClock: clock.wall))
            return RemoteImageOptions(loader: ImageLoader(options))
        }

        var loader: ImageLoader { options.loader }

        func request(_ path: String) -> ImageRequest { ImageRequest(origin.url(path)) }
    }
#endif
