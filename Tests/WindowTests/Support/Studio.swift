#if GTK
    import Calotype
    import CalotypeGTK
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
            var options = ImageLoaderOptions()
            options.transport = StandardTransport.make(retry: .never)
            options.respondsToMemoryPressure = false
            self.options = RemoteImageOptions(loader: ImageLoader(options))
        }

        var loader: ImageLoader { options.loader }

        func request(_ path: String) -> ImageRequest { ImageRequest(origin.url(path)) }
    }
#endif
