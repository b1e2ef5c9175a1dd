import Calotype
import CalotypeUI
import Foundation
import SwiftUI

// S0.15–S0.20, S2.11–S2.13, S2.22: the sources of a view, and a caller's own look for each state.
struct Gallery: View {
    let url: URL
    let request: URLRequest
    let loader: ImageLoader
    let cache: any RemoteImageCache
    @State private var service = ImageModel()

    var body: some View {
        ZStack {
            RemoteImage(source: url)
            RemoteImage(source: request) { Text(verbatim: "loading") }
            RemoteImage(url: url) { error in
                Failure(error: error)
            } imageView: { image in
                image.resizable().aspectRatio(contentMode: .fill)
            } loadingView: {
                Text(verbatim: "loading")
            }
            RemoteImage(source: request, service: service) { error in
                Failure(error: error)
            } imageView: { image in
                image
            } loadingView: {
                EmptyView()
            }
            RemoteImage(source: ImageRequest(url), preview: ImageRequest(request)) { state in
                if state.isLoading { Text(verbatim: "loading") }
            }
            .appearing(nil)
            .sizedToView()
            RemoteImage(source: ImageRequest(source: .photoAsset("7")))
            modified
            Text(verbatim: ImageLoaderKey.defaultValue === loader ? "shared" : "own")
        }
        .environment(\.imageLoader, loader)
        // S2.18 · S2.19
        .environment(\.remoteImageCache, cache)
        .environment(\.remoteImageCacheKeyProvider) { "\($0.source)" }
    }
}

extension Gallery {
    // Every modifier, in any order, on every kind of content.
    @ViewBuilder var modified: some View {
        RemoteImage(ImageRequest(url))
            .placeholder { Text(verbatim: "loading") }
            .failure { error in Failure(error: error) }
            .sizedToView(false)
            .cachePolicy(.revalidate)
            .forceRefresh()
            .plays(.endless)
            .appearing(nil)
        RemoteImage(request) { phase in
            if let image = phase.image { image } else if let error = phase.error { Failure(error: error) }
        }
        .priority(.low)
        .steps(.blur(sigma: 2), .circle)
        .appearing(.easeIn(duration: 1))
        .onFailure { error in print(error.localizedDescription) }
        RemoteImage(nil) { image in
            image
        } placeholder: {
            EmptyView()
        }
        .onSuccess { image in print(image.origin) }
        .remoteImageStyle(.automatic)
    }
}

struct Failure: View {
    @Environment(\.retryRemoteImage) private var retry
    let error: ImageError

    var body: some View {
        Button(action: { retry() }) { Text(error.localizedDescription) }
    }
}
