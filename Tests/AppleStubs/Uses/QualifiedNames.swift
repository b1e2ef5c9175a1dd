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

    func stored(in cache: LocalFileDataCache) -> Data? { cache.value(for: file) ?? cache.value(for: file.string) }
}
