#if canImport(SwiftUI)
    public import Calotype
    public import CalotypeCodecs
    public import SwiftUI

    // MARK: What is loaded

    extension RemoteImage {
        /// Loads before or after other images. The default is `normal`. A change moves a load that waits.
        public func priority(_ priority: LoadPriority) -> RemoteImage {
            changed { $0.request?.priority = priority }
        }

        /// Applies steps to the pixels, after those of the request.
        ///
        /// ```swift
        /// RemoteImage(url).steps(.round(radius: 24), .blur(sigma: 2))
        /// ```
        public func steps(_ steps: any ImageStep...) -> RemoteImage {
            changed { $0.request?.steps += steps }
        }

        /// Uses the caches as a policy says. If `nil` (the default), the loader's policy counts.
        public func cachePolicy(_ policy: CachePolicy?) -> RemoteImage {
            changed { $0.request?.policy = policy }
        }

        /// Loads from the origin when the view appears, whatever is cached, and caches what comes.
        ///
        /// To ask the origin only whether the cached image is still current, use `cachePolicy(.revalidate)`.
        public func forceRefresh(_ refreshes: Bool = true) -> RemoteImage {
            refreshes ? cachePolicy(.reloadIgnoringCache) : self
        }

        /// Decodes a request without a size as wide as the view, in pixels, and again when the view has grown. The load starts
        /// after the first layout.
        ///
        /// The default is `true` for views that draw the image themselves, and `false` for those with closures that draw it:
        /// turn it on where these take all of the width from the start.
        public func sizedToView(_ sizes: Bool = true) -> RemoteImage {
            changed { $0.sizesToView = sizes }
        }
    }

    // MARK: What is shown

    extension RemoteImage {
        /// Sets the animation with which an image appears that was not in memory. With `nil` it appears at once. The default is
        /// ease-in over 0.2 s.
        public func appearing(_ animation: Animation?) -> RemoteImage {
            changed { $0.animation = animation }
        }

        /// Sets the transition with which an image appears that was not in memory. The default is SwiftUI's, which fades.
        ///
        /// Views that draw a phase or a state themselves apply transitions themselves.
        public func appearing(
            _ transition: AnyTransition, _ animation: Animation = .easeIn(duration: 0.2)
        ) -> RemoteImage {
            changed { settings in
                settings.transition = transition
                settings.animation = animation
            }
        }

        /// Plays an animation in another way than its file says. Where the system reduces motion, animations do not play. A
        /// `service:` decides for itself.
        public func plays(_ playback: AnimationPlayback) -> RemoteImage {
            changed { $0.playback = playback }
        }
    }

    extension RemoteImage where Content == StyledRemoteImage {
        /// Shows a view until there is anything of the image, in place of the style's.
        public func placeholder(@ViewBuilder _ placeholder: @escaping () -> some View) -> RemoteImage {
            replaced { $0.placeholder = { AnyView(placeholder()) } }
        }

        /// Shows a view where the load has failed, in place of the style's. A `retryRemoteImage` in its environment tries again.
        public func failure(@ViewBuilder _ failure: @escaping (ImageError) -> some View) -> RemoteImage {
            replaced { $0.failure = { AnyView(failure($0)) } }
        }

        /// Shows an image where the load has failed, in place of the style's view.
        public func failureImage(_ image: Image) -> RemoteImage {
            failure { _ in FittedImage(image) }
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

    // MARK: Who is told

    extension RemoteImage {
        /// Calls a closure with each image that is shown as the result of a load, and not with the frames of an animation.
        public func onSuccess(_ action: @escaping @MainActor (LoadedImage) -> Void) -> RemoteImage {
            changed { $0.onSuccess = action }
        }

        /// Calls a closure each time that a load has failed.
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
