import CalotypeCodecs
import Foundation

func thumbnail(of upload: Data) throws -> Data {
    let image = try DecoderRegistry.standard.decode(upload, target: ResizeTarget(width: 400))
    return try image.encoded(as: .png)
}
