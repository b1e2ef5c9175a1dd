import Calotype
import CalotypeCodecs
import CalotypeUI
import Foundation
import AppKit

@MainActor
final class Row {
    let picture: NSImageView
    let queue = IdleQueue()
    var last: Result<Bitmap, ImageError>?

    init(_ picture: NSImageView) {
        self.picture = picture
    }

    // S4.15 · S4.16 · S4.19
    func show(_ url: URL, _ request: URLRequest, _ placeholder: NSImage) {
        // S2.18 · S2.19
        picture.setRemoteImage(url, cache: NoCache(), cacheKeyProvider: { "\($0.source)" })
        picture.setRemoteImage(url)
        picture.setRemoteImage(request, placeholder: placeholder, showsProgress: true)
        picture.setRemoteImage(ImageRequest(url), startsWhenIdle: queue) { [weak self] in self?.last = $0 }
        picture.setRemoteImage(nil)
        picture.cancelRemoteImage()
    }

    func prepareForReuse() { picture.prepareRemoteImageForReuse() }

    // S2.20
    func convert(_ bitmap: Bitmap) throws -> (Bitmap, UniversalImage) {
        let image = try bitmap.nsImage(scale: 2)
        let round = ImageSteps.Drawing(key: "ground") { context, bounds in context.setBlendMode(.normal) }
        return (try Bitmap(nsImage: image).applying(round), image)
    }
}

struct NoCache: RemoteImageCache {
    func object(forKey key: String) -> Bitmap? { nil }
    func setObject(_ object: Bitmap, forKey key: String) {}
    func removeObject(forKey key: String) {}
    func removeAllObjects() {}
}
