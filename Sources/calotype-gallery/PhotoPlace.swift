#if GTK
    import CalotypeDemo
    import Foundation

    /// Where photos come from: an API, or a folder with a server of our own in front.
    struct PhotoPlace {
        let api: PhotoAPI
        private let server: PhotoServer?

        /// A folder of a few pictures makes a list that can be scrolled.
        private static let photoCount = 1000

        /// - Parameter text: what a person typed: an address, or the path of a folder.
        init(_ text: String) async throws(GalleryMessage) {
            let text = text.trimmingCharacters(in: .whitespaces)
            guard !text.isEmpty else { throw GalleryMessage(text: "Type the address of an API, or a folder.") }
            if let url = URL(string: text), let scheme = url.scheme?.lowercased(), url.host() != nil {
                guard scheme == "http" || scheme == "https" else {
                    throw GalleryMessage(text: "An address starts with http:// or https://, not with \(scheme)://.")
                }
                (api, server) = (PhotoAPI(url), nil)
                return
            }
            do {
                let folder = try await PhotoFolder.read(path: (text as NSString).expandingTildeInPath)
                let server = try PhotoServer(folder, photoCount: PhotoPlace.photoCount)
                (api, self.server) = (PhotoAPI(server.url), server)
            } catch {
                // Such as "localhost:8080".
                let isPath = "/~.".contains(text.prefix(1))
                throw GalleryMessage(text: isPath ? "\(error)" : "\(error); an address starts with http://")
            }
        }
    }
#endif
