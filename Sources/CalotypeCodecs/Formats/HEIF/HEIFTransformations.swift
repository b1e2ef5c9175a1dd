/// The properties that crop, turn and mirror an item, in the order of the standard (ISO/IEC 23008-12, 6.5).
struct HEIFTransformations {
    /// The EXIF orientation equivalent to irot followed by imir.
    let orientation: Int
    private let aperture: ByteReader?

    var isCropped: Bool { aperture != nil }

    /// Returns `nil` if the properties are in another order, occur twice, or one of the item's is unknown and essential.
    init?(_ properties: [HEIFItems.Property]) {
        guard properties.allSatisfy({ $0.isKnown || !$0.isEssential || $0.isOf("clap") || $0.isOf("auxC") })
        else { return nil }
        var rest = properties.filter(\.isTransformation)[...]
        var turns = 0
        if let crop = rest.first, crop.isOf("clap") {
            (aperture, rest) = (crop.box.content, rest.dropFirst())
        } else {
            aperture = nil
        }
        if let turn = rest.first, turn.isOf("irot") {
            guard let angle = turn.box.content.uint8(at: 0) else { return nil }
            (turns, rest) = (angle & 3, rest.dropFirst())
        }
        guard let mirror = rest.first else {
            orientation = [1, 8, 3, 6][turns]
            return
        }
        guard rest.count == 1, mirror.isOf("imir"), let axis = mirror.box.content.uint8(at: 0) else { return nil }
        orientation = axis & 1 == 0 ? [4, 5, 2, 7][turns] : [2, 7, 4, 5][turns]
    }

    /// Returns the part of an item of this size that is seen, before it is turned; `nil` if the property is wrong.
    func area(of size: PixelSize) -> GainMapPlan.Area? {
        let whole = GainMapPlan.Area(x: 0, y: 0, width: Double(size.width), height: Double(size.height))
        guard let aperture else { return whole }
        func fraction(_ index: Int, isSigned: Bool = false) -> Double? {
            guard let above = aperture.uint32(at: 8 * index), let below = aperture.uint32(at: 8 * index + 4), below > 0
            else { return nil }
            return (isSigned ? Double(Int32(truncatingIfNeeded: above)) : Double(above)) / Double(below)
        }
        // The offsets are those of the centers.
        guard let width = fraction(0), let height = fraction(1), let x = fraction(2, isSigned: true),
            let y = fraction(3, isSigned: true)
        else { return nil }
        let (left, top) = (x + (whole.width - width) / 2, y + (whole.height - height) / 2)
        guard width > 0, height > 0, left >= 0, top >= 0, left + width <= whole.width, top + height <= whole.height
        else { return nil }
        return GainMapPlan.Area(x: left, y: top, width: width, height: height)
    }
}
