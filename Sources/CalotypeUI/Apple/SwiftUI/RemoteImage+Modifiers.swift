#if canImport(SwiftUI)
    public import Calotype
    public import CalotypeCodecs
    public import SwiftUI

    // MARK: The request

    extension RemoteImage {
        /// Sets the priority of the load. The default is `normal`. A change reorders a waiting load.
        public func priority(_ priority: LoadPriority) -> RemoteImage {
            changed { $0.request?.priority = priority }
        }

        /// Applies steps to the pixels, after the request's own steps.
        ///
        /// ```swift
        /// RemoteImage(url).steps(.round(radius: 24), .blur(sigma: 2))
        /// ```
        public func steps(_ steps: any ImageStep...) -> RemoteImage {
            changed { $0.request?.steps += steps }
        }

        /// Sets the cache policy. If `nil` (the default), the loader's policy applies.
        public func cachePolicy(_ policy: CachePolicy?) -> RemoteImage {
            changed { $0.request?.policy = policy }
        }

        /// Loads from the origin when the view appears, ignoring the caches, and stores the response.
        ///
        /// To revalidate the cached image instead, use `cachePolicy(.revalidate)`.
        public func forceRefresh(_ refreshes: Bool = true) -> RemoteImage {
            refreshes ? cachePolicy(.reloadIgnoringCache) : self
        }

        /// Decodes a request without a size at the width of the view, in pixels, and again when the view has grown or
        /// shrunk to less than half. The load starts after the first layout.
        ///
        /// The default is `true` for views that draw the image themselves, and `false` for views that closures draw:
        /// set it to `true` if those have their final width before the image arrives.
        public func sizedToView(_ sizes: Bool = true) -> RemoteImage {
            changed { $0.sizesToView = sizes }
        }
    }

    // MARK: The appearance

    extension RemoteImage {
        /// Sets the animation of images that were not in memory, or `nil` for no animation. By default ease-in, 0.2 s.
        public func appearing(_ animation: Animation?) -> RemoteImage {
            changed { $0.animation = animation }
        }

        /// Sets the transition of images that were not in memory. The default is SwiftUI's, which fades.
        ///
        /// Views that draw a phase or a state with closures apply their own transitions.
        public func appearing(
            _ transition: AnyTransition, _ animation: Animation = .easeIn(duration: 0.2)
        ) -> RemoteImage {
            changed { settings in
                settings.transition = transition
                settings.animation = animation
            }
        }

        /// Sets the way in which an animation plays, unless the system reduces motion. Does not affect a `service:`.
        public func plays(_ playback: AnimationPlayback) -> RemoteImage {
            changed { $0.playback = playback }
        }
    }

    extension RemoteImage {
        /// Keeps the current image until that of another request, or a preview of it, arrives: see
        /// `RemoteImageOptions.keepsImageWhileLoading`. The default is `false`. Does not affect a `service:`.
        public func keepsImageWhileLoading(_ keeps: Bool = true) -> RemoteImage {
            changed { $0.keepsImageWhileLoading = keeps }
        }
    }

    extension RemoteImage where Content == StyledRemoteImage {
        /// Shows a view in place of the style's placeholder, until the image or a preview arrives.
        public func placeholder(@ViewBuilder _ placeholder: @escaping () -> some View) -> RemoteImage {
            replaced { $0.placeholder = { AnyView(placeholder()) } }
        }

        /// Shows a view in place of the style's failure view. `retryRemoteImage` in its environment loads again.
        public func failure(@ViewBuilder _ failure: @escaping (ImageError) -> some View) -> RemoteImage {
            replaced { $0.failure = { AnyView(failure($0)) } }
        }

        /// Shows an image in place of the style's failure view.
        public func failureImage(_ image: Image) -> RemoteImage {
            failure { _ in FittedImage(image: image) }
        }

        private func replaced(_ change: @escaping (inout StyledRemoteImage) -> Void) -> RemoteImage {
            let content = content
            return RemoteImage(settings) { state in
                var view = content(state)
                change(&view)
                return view
            }
        }
    }

    // MARK: Callbacks

    extension RemoteImage {
        /// Calls a closure with each image that results from a load, but not with the frames of an animation.
        public func onSuccess(_ action: @escaping @MainActor (LoadedImage) -> Void) -> RemoteImage {
            changed { $0.onSuccess = action }
        }

        /// Calls a closure each time a load has failed.
        public func onFailure(_ action: @escaping @MainActor (ImageError) -> Void) -> RemoteImage {
            changed { $0.onFailure = action }
        }

        private func changed(_ change: (inout RemoteImageSettings) -> Void) -> RemoteImage {
            var copy = self
            change(&copy.settings)
            return copy
        }
    }
#endif
