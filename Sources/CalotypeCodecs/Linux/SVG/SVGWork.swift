#if SVG
    /// The work of drawing part of an SVG, independent of the size. The constants are nanoseconds for librsvg 2.54 and
    /// Cairo, measured on drawings designed to be slow.
    struct SVGWork {
        /// The time in nanoseconds that does not depend on the size.
        var fixed = 0.0
        /// The time in nanoseconds for each pixel of the result.
        var perPixel = 0.0
        /// The number of filled shapes, and their total area in square units.
        var fills = 0.0
        var area = 0.0
        /// The number of lines in outlines, and their total length in units.
        var segments = 0.0
        var length = 0.0
        /// The length of dashed lines in units.
        var dashed = 0.0
        /// The sum of the squared radii of feMorphology.
        var morphology = 0.0
        /// The number of characters.
        var text = 0.0
        var elements = 0.0

        static func + (a: SVGWork, b: SVGWork) -> SVGWork {
            SVGWork(
                fixed: a.fixed + b.fixed, perPixel: a.perPixel + b.perPixel, fills: a.fills + b.fills,
                area: a.area + b.area, segments: a.segments + b.segments, length: a.length + b.length,
                dashed: a.dashed + b.dashed, morphology: a.morphology + b.morphology, text: a.text + b.text,
                elements: a.elements + b.elements)
        }

        static func * (work: SVGWork, count: Double) -> SVGWork {
            SVGWork(
                fixed: work.fixed * count, perPixel: work.perPixel * count, fills: work.fills * count,
                area: work.area * count, segments: work.segments * count, length: work.length * count,
                dashed: work.dashed * count, morphology: work.morphology * count, text: work.text * count,
                elements: work.elements * count)
        }

        /// Returns the work in units enlarged by `factor`.
        func scaled(by factor: Double) -> SVGWork {
            var work = self
            work.area *= factor * factor
            work.length *= factor
            work.dashed *= factor
            work.morphology *= factor * factor
            return work
        }

        /// Returns the time in nanoseconds for drawing at a size.
        ///
        /// - Parameter scale: The pixels of the result per unit.
        func time(at size: PixelSize, scale: Double) -> Double {
            let pixels = Double(size.width) * Double(size.height)
            let rows = Double(size.width + size.height)
            let filling = 2 * min(area * scale * scale, fills * pixels)
            let scanning = 150 * min(length * scale, segments * rows)
            let dashing = 6000 * dashed * scale
            return fixed + pixels * (perPixel + 12 * morphology * scale * scale) + filling + scanning + dashing
        }
    }

    /// Adds up the work of a document, including repeated drawing by `use`, patterns, masks, markers and filters.
    struct SVGEstimate {
        private let elements: [SVGMarkup.Element]
        private let ids: [String: Int]
        private let declarations: [[(name: String, value: String)]]
        private let isStroked: Bool
        /// The time in nanoseconds for matching style rules.
        private let matching: Double
        private var known: [Int: SVGWork] = [:]
        private var open: Set<Int> = []

        init(_ markup: SVGMarkup) {
            elements = markup.elements
            ids = Dictionary(
                elements.enumerated().compactMap { index, element in element.attributes["id"].map { ($0, index) } },
                uniquingKeysWith: { first, _ in first })
            let sheet = SVGStyleSheet(markup.styleSheet)
            matching = 40 * Double(sheet.ruleCount) * Double(elements.count)
            declarations = elements.map { sheet.declarations(for: $0) }
            isStroked =
                declarations.joined().contains { $0.name == "stroke" && $0.value != "none" }
        }

        /// Returns the work of the whole document.
        mutating func work() -> SVGWork {
            work(of: 0) + SVGWork(fixed: matching)
        }

        /// Elements that are drawn only when referenced.
        private static let definitions: Set = [
            "defs", "symbol", "pattern", "mask", "clipPath", "marker", "linearGradient", "radialGradient", "filter",
        ]

        private mutating func work(of index: Int) -> SVGWork {
            if let work = known[index] { return work }
            // Chains of references are followed recursively, here and in librsvg.
            guard open.count < 150 else { return SVGWork(fixed: .infinity) }
            // librsvg also stops at circular references.
            guard open.insert(index).inserted else { return SVGWork() }
            defer { open.remove(index) }
            let element = elements[index]
            var inside = ownWork(element)
            for child in element.children where !Self.definitions.contains(elements[child].name) {
                inside = inside + work(of: child)
            }
            if element.name == "text" { inside.fixed += 20 * inside.text * inside.text + 40_000 * inside.text }
            if let target = reference(element.attributes["href"]) { inside = inside + work(of: target) }
            var total = inside
            for (name, value) in declarations[index] { total = total + work(of: name, value, inside) }
            total = total.scaled(by: Self.scale(of: element))
            known[index] = total
            return total
        }

        private func reference(_ value: String?) -> Int? {
            guard let value, value.hasPrefix("#") else { return nil }
            return ids[String(value.dropFirst())]
        }

        // MARK: - One element

        private func ownWork(_ element: SVGMarkup.Element) -> SVGWork {
            var work = SVGWork(fixed: 8000, elements: 1)
            work.perPixel = filterWork(element)
            if element.name == "feMorphology" {
                let radius = element.attributes["radius"].map { SVGNumber.largest(in: $0) } ?? 0
                work.morphology = radius * radius
            }
            // Count all text in any element that may display it.
            if !["style", "title", "desc", "metadata", "script"].contains(element.name) {
                work.text = Double(element.textLength)
            }
            let shape: SVGOutline
            switch element.name {
            case "path": shape = SVGOutline(element.attributes["d"] ?? "")
            case "polygon", "polyline": shape = SVGOutline(element.attributes["points"] ?? "", isPolygon: true)
            case "rect", "image": return work + Self.box(element, "width", "height")
            case "circle": return work + Self.box(element, "r", "r")
            case "ellipse": return work + Self.box(element, "rx", "ry")
            case "line": return work + Self.box(element, "x2", "y2")
            default: return work
            }
            let strokes = isStroked ? 3.0 : 1.0
            work.fixed += Double(shape.segments) * 500 * strokes + shape.crossings * 4000 * strokes
            work.fills = strokes
            work.area = strokes * shape.area
            work.segments = strokes * Double(shape.segments)
            work.length = strokes * shape.length
            return work
        }

        /// Returns the work of a simple shape by its sides, radii or end points; infinite for relative lengths.
        private static func box(_ element: SVGMarkup.Element, _ width: String, _ height: String) -> SVGWork {
            func length(_ names: String...) -> Double {
                names.reduce(0) { sum, name in
                    sum + (element.attributes[name].map { SVGNumber.plain($0) ?? .infinity } ?? 0)
                }
            }
            let twice = width == "width" ? 1.0 : 2.0
            let wide = twice * length(width, "x1")
            let high = twice * length(height, "y1")
            let area = wide > 0 && high > 0 ? wide * high : 0
            return SVGWork(fills: 1, area: area, segments: 8, length: 2 * (wide + high))
        }

        /// Returns the time in nanoseconds per pixel of a filter primitive.
        private func filterWork(_ element: SVGMarkup.Element) -> Double {
            func number(_ name: String, _ standard: Double) -> Double {
                element.attributes[name].map { SVGNumber.all(in: $0).reduce(1, *) } ?? standard
            }
            switch element.name {
            case "feTurbulence": return 50 + 45 * number("numOctaves", 1)
            case "feConvolveMatrix":
                let order = SVGNumber.all(in: element.attributes["order"] ?? "3")
                return 70 + 4 * (order.first ?? 3) * (order.last ?? 3)
            case "feDisplacementMap": return 750
            case "feGaussianBlur", "feDropShadow": return 150
            case "feMorphology": return 60
            case "feMergeNode": return 20
            default: return element.name.hasPrefix("fe") ? 90 : 0
            }
        }

        // MARK: - Attributes and styles

        /// Returns the work that a declaration adds to the work inside its element.
        private mutating func work(of name: String, _ value: String, _ inside: SVGWork) -> SVGWork {
            var added = SVGWork()
            switch name {
            case "opacity" where value != "1": added.perPixel += 4
            case "mix-blend-mode", "isolation", "enable-background": added.perPixel += 4
            case "filter" where value != "none": added.perPixel += 20 + 150 * Double(value.count { $0 == "(" })
            case "stroke-dasharray" where value != "none":
                added.dashed += inside.length + 1e6 * (inside.length.isFinite ? 0 : 1)
            default: break
            }
            for target in Self.targets(in: value).compactMap({ ids[$0] }) {
                let drawn = work(of: target)
                switch name {
                case "mask": added = added + drawn + SVGWork(perPixel: 12)
                case "filter", "clip-path": added = added + drawn + SVGWork(perPixel: 4)
                case _ where name.hasPrefix("marker"):
                    added = added + (drawn + SVGWork(fixed: 400_000)) * max(inside.segments, 1)
                default:
                    // librsvg draws the pattern or gradient for each shape inside, and then each covered pixel.
                    let layer = elements[target].name == "pattern" ? 6.0 : 0
                    added = added + (drawn + SVGWork(perPixel: layer)) * inside.elements
                    added.area += 6 * inside.area
                    added.fills += 6 * inside.fills
                }
            }
            return added
        }

        /// Returns the IDs in references: "a" for "url(#a)".
        private static func targets(in value: String) -> [String] {
            value.split(separator: "(").dropFirst().compactMap { part in
                let inside = part.prefix { $0 != ")" }
                    .trimming { $0 == "\"" || $0 == "'" || $0 == " " }
                return inside.first == "#" ? String(inside.dropFirst()) : nil
            }
        }

        /// Returns the largest factor by which an element scales the units inside.
        private static func scale(of element: SVGMarkup.Element) -> Double {
            var scale = 1.0
            for name in ["transform", "patternTransform"] {
                scale *= element.attributes[name].map { SVGNumber.largestScale(inTransform: $0) } ?? 1
            }
            guard element.parent != nil, let box = element.attributes["viewBox"].map({ SVGNumber.all(in: $0) }),
                box.count == 4, box[2] > 0, box[3] > 0
            else { return scale }
            let width = element.attributes["width"].flatMap { SVGNumber.plain($0) }
            let height = element.attributes["height"].flatMap { SVGNumber.plain($0) }
            guard let width, let height else { return 1e4 }
            return scale * max(width / box[2], height / box[3])
        }
    }

    extension Substring {
        fileprivate func trimming(_ isLeftOut: (Character) -> Bool) -> Substring {
            var text = drop(while: isLeftOut)
            while let last = text.last, isLeftOut(last) { text.removeLast() }
            return text
        }
    }

    /// Parses numbers in attributes.
    enum SVGNumber {
        static func all(in text: String) -> [Double] {
            text.split { !"0123456789.-+eE".contains($0) }.compactMap { Double($0) }.filter(\.isFinite)
        }

        static func largest(in text: String) -> Double { all(in: text).map(abs).max() ?? 0 }

        /// Returns a length in pixels, or `nil` for relative lengths.
        static func plain(_ text: String) -> Double? {
            let units = ["px": 1, "pt": 96.0 / 72, "pc": 16, "mm": 96 / 25.4, "cm": 96 / 2.54, "in": 96]
            let text = text.filter { !$0.isWhitespace }
            if let number = Double(text) { return number.isFinite ? abs(number) : nil }
            guard let factor = units[String(text.suffix(2))], let number = Double(text.dropLast(2)) else { return nil }
            return number.isFinite ? abs(number * factor) : nil
        }

        static func largestScale(inTransform text: String) -> Double {
            var scale = 1.0
            for part in text.split(separator: ")") {
                let words = part.split(separator: "(", maxSplits: 1)
                guard words.count == 2 else { continue }
                let values = all(in: String(words[1]))
                if words[0].hasSuffix("scale") {
                    scale *= values.map(abs).max() ?? 1
                } else if words[0].hasSuffix("matrix") {
                    scale *= values.prefix(4).reduce(0) { $0 + $1 * $1 }.squareRoot()
                } else if words[0].contains("skew") {
                    scale *= 100
                }
            }
            return scale
        }
    }
#endif
