import Calotype
import CalotypeCodecs
import CalotypeUI
import Foundation
import UIKit

@MainActor
final class Row {
    let picture: UIImageView
    let queue = IdleQueue()
    var last: Result<Bitmap, ImageError>?

    init(_ picture: UIImageView) {
        self.picture = picture
    }

    // S4.15 · S4.16 · S4.19
    func show(_ url: URL, _ request: URLRequest, _ placeholder: UIImage) {
        picture.setRemoteImage(url)
        picture.setRemoteImage(request, placeholder: placeholder, sizesToView: false, showsProgress: true)
        picture.setRemoteImage(ImageRequest(url), startsWhenIdle: queue) { [weak self] in self?.last = $0 }
        picture.setRemoteImage(url, plays: .times(2))
        // S2.18 · S2.19
        picture.setRemoteImage(url, cache: NoCache(), cacheKeyProvider: { "\($0.source)" })
        picture.setRemoteImage(nil)
        picture.cancelRemoteImage()
    }

    func prepareForReuse() { picture.prepareRemoteImageForReuse() }

    // S2.20
    func convert(_ bitmap: Bitmap) throws -> (Bitmap, UniversalImage) {
        let image = try bitmap.uiImage(scale: 2)
        let round = ImageSteps.Drawing(key: "ground") { context, bounds in context.setBlendMode(.normal) }
        return (try Bitmap(uiImage: image).applying(round), image)
    }
}

struct NoCache: RemoteImageCache {
    func object(forKey key: String) -> Bitmap? { nil }
    func setObject(_ object: Bitmap, forKey key: String) {}
    func removeObject(forKey key: String) {}
    func removeAllObjects() {}
}
