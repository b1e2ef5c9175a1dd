import CalotypeBase

/// Combines the steps of a pipeline into the options of one rendition, or refuses them.
///
/// A rendition always turns the image upright, rotates and mirrors it, cuts out an area, resizes and cuts it, takes its colors,
/// blurs it, adds a canvas, and lays it over a background, in this order. The result of a pipeline is the image to which
/// its steps lead one after the other, up to the rounding of pixels. A pipeline is refused if no rendition has this result:
///
/// - Rotations and mirrorings may come at any time: the sizes and places before them are turned with the image.
/// - An area, a size, a blur and a canvas come once each, and in this order.
/// - Colors become gray at any time but after a colored background.
/// - A background counts unless the image has no transparency any more. A canvas of another color is refused.
/// - Of the parameters of the file, the last ones count. A JPEG on the way to another format loses the transparency.
struct ImaginaryFold {
    /// What cannot come twice or come back.
    private enum Stage: Int, Comparable {
        case untouched, area, size, canvas, blur

        static func < (left: Stage, right: Stage) -> Bool { left.rawValue < right.rawValue }

        var doing: String {
            switch self {
            case .untouched: "does nothing"
            case .area: "cuts out an area"
            case .size: "resizes the image"
            case .canvas: "adds a canvas"
            case .blur: "blurs the image"
            }
        }
    }

    private enum Orientation {
        /// No step depends on it so far.
        case open
        case upright, asStored
    }

    private var result = {
        var options = RenditionOptions()
        // As in imaginary, which reads the first image of a file.
        options.disablesAnimation = true
        return options
    }()
    private var stage = Stage.untouched
    private var orientation = Orientation.open
    /// The color that took the place of transparency in the image as far as the steps go.
    private var flatColor: ImageColor?
    private var canvasColor: ImageColor?

    /// The options of the rendition.
    var options: RenditionOptions {
        var options = result
        options.turnsUpright = orientation == .upright
        return options
    }

    mutating func add(_ step: ImaginaryStep) throws(RenditionError) {
        try orient(step)
        for _ in 0..<step.quarterTurns { result.turnResultRight() }
        if step.flipsHorizontally { result.mirrorResultHorizontally() }
        if step.flipsVertically { result.mirrorResultVertically() }
        if let area = step.area {
            try advance(to: .area, step)
            result.crop = area
        }
        if let scaling = step.scaling {
            try advance(to: .size, step)
            result.take(scaling)
        }
        if let color = step.canvas { try addCanvas(color, step) }
        if step.blur > 0 {
            try advance(to: .blur, step)
            result.blur = step.blur
        }
        if let color = step.background { try addBackground(color, step) }
        if step.isGray { try makeGray(step) }
        write(step.file)
    }

    /// Decides whether the image is turned upright, before the first change of its pixels' places.
    private mutating func orient(_ step: ImaginaryStep) throws(RenditionError) {
        switch (orientation, step.turnsUpright) {
        case (.open, true): orientation = .upright
        case (.open, false):
            // A file without metadata has lost its orientation.
            if step.movesPixels || step.file.stripsMetadata { orientation = .asStored }
        case (.asStored, true) where result.keepsCredits:
            throw Self.error(
                step,
                "it turns the image upright, which came in as it is stored: set norotation for all operations, or none")
        case (.asStored, _), (.upright, _): break
        }
    }

    private mutating func advance(to next: Stage, _ step: ImaginaryStep) throws(RenditionError) {
        // In imaginary an operation adds the canvas before it blurs, and here the edges of the canvas would stay sharp.
        guard stage < next, stage != .canvas else {
            throw Self.error(
                step, "it \(next.doing) after an operation that \(stage.doing): send one request for each of the two")
        }
        stage = next
    }

    private mutating func addCanvas(_ color: ImageColor, _ step: ImaginaryStep) throws(RenditionError) {
        stage = .canvas
        result.extend = .center
        guard (flatColor ?? color) == color else {
            throw Self.error(
                step, "its canvas has another color than the background: send one request for each of the two")
        }
        (canvasColor, result.background) = (color, color)
    }

    private mutating func addBackground(_ color: ImageColor, _ step: ImaginaryStep) throws(RenditionError) {
        guard flatColor == nil else { return }
        guard (canvasColor ?? color) == color else {
            throw Self.error(
                step, "its background has another color than the canvas: send one request for each of the two")
        }
        (flatColor, result.background) = (color, color)
    }

    private mutating func makeGray(_ step: ImaginaryStep) throws(RenditionError) {
        if let color = result.background, color.red != color.green || color.green != color.blue {
            throw Self.error(step, "colorspace=bw takes the color of the background, too: name a gray one")
        }
        result.saturation = 0
    }

    private mutating func write(_ file: ImaginaryStep.File) {
        if let format = file.format {
            if result.format == .jpeg, format != .jpeg, result.background == nil { result.background = flatColor }
            result.format = format
        }
        // A JPEG is laid over white.
        if result.format == .jpeg { flatColor = flatColor ?? canvasColor ?? .white }
        result.quality = file.quality ?? result.quality
        if let isInterlaced = file.isInterlaced {
            (result.jpeg.isProgressive, result.png.isInterlaced) = (isInterlaced, isInterlaced)
        }
        result.png.isQuantized = file.isQuantized ?? result.png.isQuantized
        if file.stripsMetadata { result.keepsCredits = false }
    }

    private static func error(_ step: ImaginaryStep, _ problem: String) -> RenditionError {
        RenditionError(400, "\(step.place): \(problem)")
    }
}

extension ImaginaryStep {
    /// Whether the step changes the size of the image or the place of a pixel.
    fileprivate var movesPixels: Bool {
        quarterTurns != 0 || flipsHorizontally || flipsVertically || area != nil || scaling != nil
    }
}

extension RenditionOptions {
    fileprivate mutating func take(_ scaling: ImaginaryStep.Scaling) {
        (resizing, width, height) = (scaling.resizing, scaling.width, scaling.height)
        (zoomX, zoomY) = (scaling.factor, scaling.factor)
        (enlarges, gravity) = (scaling.enlarges, scaling.anchor)
    }
}
