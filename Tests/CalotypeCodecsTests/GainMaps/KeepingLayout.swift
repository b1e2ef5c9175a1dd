import Foundation

@testable import CalotypeCodecs

/// A layout whose results have the gain map of the file, of whatever size.
struct KeepingLayout: ImageLayout {
    var target: ResizeTarget?
    var side = 1
    var after: [any ImageStep] = []

    var key: String { "keeping(\(target?.key ?? ""),\(side))" }
    var filter: ResizeFilter { target?.filter ?? .automatic }
    var gainMapSide: Int? { side }

    func placement(of size: PixelSize, isScalable: Bool) -> ImagePlacement {
        target?.placement(of: size, isScalable: isScalable) ?? ImagePlacement(size)
    }

    func steps(after size: PixelSize, isScalable: Bool) -> [any ImageStep] { after }
}

extension Data {
    /// Decodes with the gain map, through the registry.
    func decodedKeepingMap(
        _ target: ResizeTarget? = nil, steps: [any ImageStep] = [], by registry: DecoderRegistry = .standard
    ) throws(CodecError) -> Bitmap {
        try registry.plan(for: self, target: KeepingLayout(target: target, after: steps)).decode()
    }
}
