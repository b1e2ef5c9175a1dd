import CalotypeUI
import Foundation
import HTTPTypes
import SwiftUI
import System

// One file beside all modules that share names with the library. Those of swift-http-types need their module's name on both
// sides, as in the guide "On a server"; all others stand alone.
struct Upload: View {
    let shape: Circle
    let image: Image
    let file: FilePath
    let received: HTTPTypes.HTTPRequest
    let sent: Calotype.HTTPRequest
    let fields: (HTTPTypes.HTTPFields, Calotype.HTTPFields)
    let responses: (HTTPTypes.HTTPResponse, Calotype.HTTPResponse)

    var body: some View { image.clipShape(shape) }

    func request(to url: URL) -> Calotype.HTTPRequest { Calotype.HTTPRequest(url, fields: ["Accept": "image/webp"]) }

    func steps() -> [any ImageStep] { [ImageSteps.Circle(), .circle] }

    // A path of System, a text, and a literal, which either type can be.
    func stored(in cache: LocalFileDataCache) -> Data? {
        cache.value(for: file) ?? cache.value(for: file.string) ?? cache.value(for: "1.jpg")
    }

    func thumbnails(in cache: LocalFileDataCache) -> (
        some RemovableSyncCache<Int, Data>, some RemovableSyncCache<Int, Data>
    ) {
        (cache.mapID { (width: Int) in FilePath("\(width).jpg") }, cache.mapID { (width: Int) in "\(width).jpg" })
    }
}
