import CalotypeStore
import Foundation

extension ImageLoader {
    /// One loader for all views of an application that were given no other.
    ///
    /// It keeps bytes on disk among the user's caches, in a folder named after the program, and pictures in memory, both
    /// within their standard limits. Made when it is first asked for.
    public static let shared: ImageLoader = {
        var options = ImageLoaderOptions()
        options.diskStore = sharedDirectory.map { DiskStore(directory: $0) }
        return ImageLoader(options)
    }()

    private static var sharedDirectory: String? {
        let caches = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first
        return caches?.appending(path: ProcessInfo.processInfo.processName).appending(path: "calotype").path
    }
}
