import CalotypeBase

/// What one operation does to the image that it gets, in imaginary's order: it turns the image upright, rotates and mirrors
/// it, cuts out an area, resizes it, adds a canvas, blurs it, lays it over a background, takes its colors, and writes a file.
struct ImaginaryStep: Hashable, Sendable {
    struct Scaling: Hashable, Sendable {
        var resizing = RenditionOptions.Resizing.fit
        var width = 0
        var height = 0
        /// The factor beside ``width`` and ``height``.
        var factor = 1.0
        var enlarges = false
        var anchor = RenditionOptions.Anchor.center
    }

    /// The parameters of the file. `nil` keeps the parameter of the operations before.
    struct File: Hashable, Sendable {
        var format: RenditionFormat?
        /// Whether Accept may decide about the format.
        var followsAccept = false
        var quality: Int?
        var isInterlaced: Bool?
        var isQuantized: Bool?
        /// Whether the file lacks author, copyright and orientation.
        var stripsMetadata = false
    }

    /// The operation, for messages.
    let place: String
    var turnsUpright = true
    /// The number of clockwise quarter turns, from 0 to 3.
    var quarterTurns = 0
    var flipsHorizontally = false
    var flipsVertically = false
    var area: RenditionOptions.Crop?
    var scaling: Scaling?
    /// The color of a canvas of the size of ``scaling``.
    var canvas: ImageColor?
    var blur = 0.0
    var background: ImageColor?
    var isGray = false
    var file = File()

    init(
        _ operation: ImaginaryOperation, _ arguments: ImaginaryArguments, accepting accepted: AcceptedType
    ) throws(RenditionError) {
        place = arguments.place
        if case .refused(let parameter, let reason) = operation.kind { throw arguments.error(parameter, reason) }
        try arguments.check(operation.needs)
        file = try arguments.file(accepted)
        // It takes no other parameters.
        guard operation.kind != .autorotate else { return }
        turnsUpright = try arguments.flag("norotation") != true
        quarterTurns = try arguments.quarterTurns
        let (flip, flop) = (try arguments.flag("flip") ?? false, try arguments.flag("flop") ?? false)
        flipsHorizontally = flip || operation.kind == .flip
        flipsVertically = flop || operation.kind == .flop
        background = try arguments.color("background")
        blur = try arguments.number("sigma", in: 0...1000)
        // It only bounds the filter's error.
        _ = try arguments.number("minampl", in: 0...1e9)
        isGray = try arguments.isGray
        switch operation.kind {
        case .extract: area = try arguments.area
        case .zoom: scaling = try arguments.zoom
        default: try place(operation.kind, arguments)
        }
    }

    /// Reads the size and its rules.
    private mutating func place(
        _ kind: ImaginaryOperation.Kind, _ arguments: ImaginaryArguments
    ) throws(RenditionError) {
        let (width, height) = try arguments.sides
        let rules = try SizeRules(kind, arguments, isTurned: quarterTurns != 0)
        guard width > 0 || height > 0 else { return }
        if width > 0, height > 0 {
            scaling = Scaling(
                resizing: rules.resizing, width: width, height: height, enlarges: rules.enlarges,
                anchor: rules.cuts ? rules.anchor : .center)
            if rules.hasCanvas { canvas = try arguments.canvas(background) }
        } else if rules.cuts {
            // As in imaginary, a single side cuts out of the image without resizing it.
            area = RenditionOptions.Crop(width: Double(width), height: Double(height), anchor: rules.anchor)
        } else {
            scaling = Scaling(width: width, height: height, enlarges: rules.enlarges)
        }
    }
}

/// How an operation takes width and height.
private struct SizeRules {
    /// Whether the image is cut to the size; otherwise it fits into it, or takes exactly that size.
    let cuts: Bool
    let resizing: RenditionOptions.Resizing
    let enlarges: Bool
    let hasCanvas: Bool
    let anchor: RenditionOptions.Anchor

    /// - Parameter isTurned: Whether the operation rotates the image, which keeps the proportions.
    init(_ kind: ImaginaryOperation.Kind, _ arguments: ImaginaryArguments, isTurned: Bool) throws(RenditionError) {
        let cutsNot = try arguments.flag("nocrop"), embeds = try arguments.flag("embed") ?? false
        let isForced = try arguments.flag("force") ?? false
        let anchor = kind == .smartCrop ? .init(place: .smart) : try arguments.gravity
        self.anchor = anchor
        let wantsCut =
            switch kind {
            case .crop, .smartCrop: true
            case .resize: cutsNot == false
            case .enlarge: cutsNot != true
            default: false
            }
        let hasRule = wantsCut || embeds || isTurned || [.resize, .fit, .enlarge].contains(kind)
        // Other operations, such as thumbnail, ignore the proportions.
        let forces = isForced || !hasRule
        cuts = wantsCut && !forces
        enlarges = forces || kind == .enlarge
        resizing = cuts ? .fill : forces && kind != .fit ? .force : .fit
        hasCanvas = resizing == .fit && (embeds || kind == .resize) && kind != .fit && anchor.place != .smart
    }
}

extension ImaginaryArguments {
    fileprivate func check(_ needs: ImaginaryOperation.Needs) throws(RenditionError) {
        guard !have(needs) else { return }
        let missing =
            switch needs {
            case .nothing: ""
            case .one(let name): "the parameter \(name.quoted) is missing"
            case .any(let first, let second): "the parameter \(first.quoted) or \(second.quoted) is missing"
            case .all(let first, let second): "one of the parameters \(first.quoted) and \(second.quoted) is missing"
            }
        throw RenditionError(400, "\(place): \(missing)")
    }

    fileprivate func file(_ accepted: AcceptedType) throws(RenditionError) -> ImaginaryStep.File {
        var file = ImaginaryStep.File()
        switch try word("type") {
        case "": break
        case "auto": (file.format, file.followsAccept) = (accepted.format, true)
        case let name:
            file.format = RenditionFormat(extension: name)
            guard file.format != nil else {
                throw error("type", "\(name.quoted) is not one of auto, \(RenditionFormat.names)")
            }
        }
        let quality = try integer("quality", in: 0...100)
        file.quality = quality == 0 ? nil : quality
        file.isInterlaced = try flag("interlace")
        file.isQuantized = try flag("palette")
        file.stripsMetadata = try flag("stripmeta") ?? false
        return file
    }

    fileprivate var quarterTurns: Int {
        get throws(RenditionError) {
            let angle = try integer("rotate", in: 0...270)
            guard angle.isMultiple(of: 90) else { throw error("rotate", "\(angle) is not 90, 180 or 270") }
            return angle / 90
        }
    }

    fileprivate var isGray: Bool {
        get throws(RenditionError) {
            switch try word("colorspace") {
            case "", "srgb": return false
            case "bw": return true
            case let name: throw error("colorspace", "\(name.quoted) is not srgb or bw")
            }
        }
    }
}
