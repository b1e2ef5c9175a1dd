import CalotypeBase

/// A row of imaginary's table of operations.
struct ImaginaryOperation: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case resize, fit, enlarge, crop, smartCrop, thumbnail, extract, zoom
        case rotate, autorotate, flip, flop
        case convert, blur
        /// An operation that the server refuses, with the parameter that it would take and the reason.
        case refused(ByteString, String)
    }

    /// The parameters without which there is nothing to do.
    enum Needs: Hashable, Sendable {
        case nothing
        case any(ByteString, ByteString)
        case all(ByteString, ByteString)
        case one(ByteString)
    }

    /// The name in paths.
    let name: ByteString
    let kind: Kind
    let needs: Needs

    private init(_ name: ByteString, _ kind: Kind, _ needs: Needs = .nothing) {
        (self.name, self.kind, self.needs) = (name, kind, needs)
    }

    static let all: [ImaginaryOperation] = [
        ImaginaryOperation("resize", .resize, .any("width", "height")),
        ImaginaryOperation("fit", .fit, .all("width", "height")),
        ImaginaryOperation("enlarge", .enlarge, .all("width", "height")),
        ImaginaryOperation("crop", .crop, .any("width", "height")),
        ImaginaryOperation("smartcrop", .smartCrop, .any("width", "height")),
        ImaginaryOperation("thumbnail", .thumbnail, .any("width", "height")),
        ImaginaryOperation("extract", .extract, .all("areawidth", "areaheight")),
        ImaginaryOperation("zoom", .zoom, .one("factor")),
        ImaginaryOperation("rotate", .rotate, .one("rotate")),
        ImaginaryOperation("autorotate", .autorotate),
        ImaginaryOperation("flip", .flip),
        ImaginaryOperation("flop", .flop),
        ImaginaryOperation("convert", .convert, .one("type")),
        ImaginaryOperation("blur", .blur, .any("sigma", "minampl")),
        ImaginaryOperation("watermark", .refused("text", "the server writes no text on images")),
        ImaginaryOperation("watermarkimage", .refused("image", "the server loads no image by a URL of a request")),
    ]

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    /// Returns the operation with this name in paths.
    static func named(_ name: ByteString) -> ImaginaryOperation? { byName[name] }

    /// Returns the operation with this name in pipelines.
    static func named(inPipeline name: ByteString) -> ImaginaryOperation? {
        byName[name == "watermarkImage" ? "watermarkimage" : name]
    }
}
