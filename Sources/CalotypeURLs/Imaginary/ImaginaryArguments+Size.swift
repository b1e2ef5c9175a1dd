import CalotypeBase

// The parameters of sizes and areas.

extension ImaginaryArguments {
    /// Width and height. With `aspectratio`, a missing side follows from the other one, in whole numbers as in imaginary.
    var sides: (Int, Int) {
        get throws(RenditionError) {
            let longest = OptionTable.longestSide
            let width = try integer("width", in: 0...longest), height = try integer("height", in: 0...longest)
            let ratio = try word("aspectratio")
            guard !ratio.isEmpty, (width > 0) != (height > 0) else { return (width, height) }
            let terms = ratio.split(separator: UInt8(ascii: ":")).map { $0.asDigits ?? 0 }
            guard terms.count == 2, terms.allSatisfy((1...65_535).contains) else {
                throw error("aspectratio", "\(ratio.quoted) is not a ratio such as 16:9")
            }
            let sides =
                width > 0 ? (width, width / terms[0] * terms[1]) : (height / terms[1] * terms[0], height)
            guard max(sides.0, sides.1) <= longest else {
                throw error("aspectratio", "\(ratio.quoted) makes a side of more than \(longest) pixels")
            }
            return sides
        }
    }

    var gravity: RenditionOptions.Anchor {
        get throws(RenditionError) {
            switch try word("gravity") {
            case "", "centre", "center": return .center
            case "north": return .init(place: .north)
            case "south": return .init(place: .south)
            case "east": return .init(place: .east)
            case "west": return .init(place: .west)
            case "smart": return .init(place: .smart)
            case let name:
                throw error("gravity", "\(name.quoted) is not one of north, south, centre, west, east, smart")
            }
        }
    }

    /// The area of `extract`.
    var area: RenditionOptions.Crop {
        get throws(RenditionError) {
            for side in ["width", "height"] as [ByteString] where try integer(side, in: 0...OptionTable.longestSide) > 0
            {
                throw error(side, "the area is not resized: name the size in a \"resize\" behind it, in a pipeline")
            }
            let longest = 0...65_535
            let anchor = RenditionOptions.Anchor(
                place: .northWest, x: Double(try integer("left", in: longest)),
                y: Double(try integer("top", in: longest)))
            return RenditionOptions.Crop(
                width: Double(try integer("areawidth", in: longest)),
                height: Double(try integer("areaheight", in: longest)), anchor: anchor)
        }
    }

    /// As in imaginary, a factor of 1 doubles the sides.
    var zoom: ImaginaryStep.Scaling {
        get throws(RenditionError) {
            for name in ["width", "height", "top", "left"] as [ByteString] where try integer(name, in: 0...65_535) > 0 {
                throw error(
                    name, "the image is only enlarged: name the area in an \"extract\" before it, in a pipeline")
            }
            return .init(factor: Double(try integer("factor", in: 0...99) + 1), enlarges: true)
        }
    }

    /// Returns the color of the edges that make a fitted image as large as it was requested.
    func canvas(_ background: ImageColor?) throws(RenditionError) -> ImageColor {
        switch try word("extend") {
        case "white": return .white
        case "black": return .black
        case "background": return background ?? .black
        case let name:
            let shown = name.isEmpty ? "copy (the default)" : name.quoted
            throw error(
                "extend",
                "\(shown) continues the image beyond its edges, which the server does not: name white, black or background, "
                    + "or leave out a side, or take \"fit\", which keeps the proportions, or \"nocrop=false\", which cuts"
            )
        }
    }
}
