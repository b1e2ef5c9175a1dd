import Calotype
import CalotypeUI
import Foundation
import SwiftUI

// S0.15–S0.20, S2.11–S2.13, S2.22: what a view may be given, and that the look of each state is the caller's.
struct Gallery: View {
    let url: URL
    let request: URLRequest
    let loader: ImageLoader
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
            Text(verbatim: ImageLoaderKey.defaultValue === loader ? "shared" : "own")
        }
        .environment(\.imageLoader, loader)
    }
}

struct Failure: View {
    @Environment(\.retryRemoteImage) private var retry
    let error: ImageError

    var body: some View {
        Button(action: { retry() }) { Text(error.localizedDescription) }
    }
}
