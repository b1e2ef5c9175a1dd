#if GTK
    import Calotype
    import CalotypeGTK
    import CalotypeStore
    import CalotypeTesting
    import CalotypeTransport
    import CalotypeUI
    import Foundation

    /// An origin on this machine and a loader for it, without a disk.
    struct Studio {
        let origin: OriginServer
        var options: RemoteImageOptions

        init() throws {
            origin = try OriginServer()
            var options = ImageLoaderOptions.ephemeral
            // A download that breaks off is to be seen as an error, not mended unseen.
            options.resumptions = 0
            options.retry = .never
            options.respondsToMemoryPressure = false
            self.options = RemoteImageOptions(loader: ImageLoader(options))
        }

        /// The same with a disk, and a time of day that is told.
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
