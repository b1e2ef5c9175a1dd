#if canImport(SwiftUI)
    public import Calotype
    public import SwiftUI

    /// The key of `EnvironmentValues.imageLoader`.
    public struct ImageLoaderKey: EnvironmentKey {
        /// ``ImageLoader/shared``.
        public static let defaultValue = ImageLoader.shared
    }

    private struct RetryKey: EnvironmentKey {
        static let defaultValue = RetryRemoteImage {}
    }

    private struct TextsKey: EnvironmentKey {
        static let defaultValue = RemoteImageTexts()
    }

    private struct CacheKey: EnvironmentKey {
        static let defaultValue: (any RemoteImageCache)? = nil
    }

    private struct CacheKeyProviderKey: EnvironmentKey {
        static let defaultValue: RemoteImageCacheKeyProvider? = nil
    }

    private struct StyleKey: EnvironmentKey {
        // Computed, because all threads would share a stored value, and a style need not be Sendable.
        static var defaultValue: any RemoteImageStyle { .automatic }
    }

    private struct TransitionKey: EnvironmentKey {
        static var defaultValue: AnyTransition? { nil }
    }

    extension EnvironmentValues {
        /// The texts of the standard views in a subtree. The defaults are in English.
        public var remoteImageTexts: RemoteImageTexts {
            get { self[TextsKey.self] }
            set { self[TextsKey.self] = newValue }
        }

        /// The loader for the remote images of a subtree. The default is ``ImageLoader/shared``.
        ///
        /// ```swift
        /// Gallery().environment(\.imageLoader, ImageLoader(options))
        /// ```
        public var imageLoader: ImageLoader {
            get { self[ImageLoaderKey.self] }
            set { self[ImageLoaderKey.self] = newValue }
        }

        /// A cache that the remote images of a subtree check before their loader and fill afterwards. `nil` by default.
        ///
        /// Views apply a change when they are next drawn, and load again if their image has another key then. A visible
        /// image stays if only the cache has changed and both caches are structures. A `service:` has its own cache.
        public var remoteImageCache: (any RemoteImageCache)? {
            get { self[CacheKey.self] }
            set { self[CacheKey.self] = newValue }
        }

        /// Returns the key of an image in `remoteImageCache`. If `nil` (the default), the loader's own key is used.
        public var remoteImageCacheKeyProvider: RemoteImageCacheKeyProvider? {
            get { self[CacheKeyProviderKey.self] }
            set { self[CacheKeyProviderKey.self] = newValue }
        }

        /// The action that loads the surrounding remote image again after an error. Outside one, it does nothing.
        ///
        /// ```swift
        /// @Environment(\.retryRemoteImage) private var retry
        /// var body: some View { Button("Try again") { retry() } }
        /// ```
        public internal(set) var retryRemoteImage: RetryRemoteImage {
            get { self[RetryKey.self] }
            set { self[RetryKey.self] = newValue }
        }

        var remoteImageStyle: any RemoteImageStyle {
            get { self[StyleKey.self] }
            set { self[StyleKey.self] = newValue }
        }

        /// The transition of the surrounding view's image, or `nil` for SwiftUI's default.
        var remoteImageTransition: AnyTransition? {
            get { self[TransitionKey.self] }
            set { self[TransitionKey.self] = newValue }
        }
    }

    /// An action that loads an image again, available in the environment of a remote image's views.
    public struct RetryRemoteImage: Sendable {
        let action: @MainActor @Sendable () -> Void

        @MainActor
        public func callAsFunction() { action() }
    }
#endif
