extension ImageLoader {
    /// The loader of all views that were given no other.
    ///
    /// Has the default options: images in memory, and bytes on disk in the user's cache directory.
    public static let shared = ImageLoader()
}
