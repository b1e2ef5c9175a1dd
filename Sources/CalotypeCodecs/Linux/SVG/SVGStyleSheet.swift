#if SVG
    import Foundation

    /// The rules of an SVG's style elements, matched generously: only a selector that is a class alone is looked at, all
    /// others count for every element.
    struct SVGStyleSheet {
        typealias Declaration = (name: String, value: String)

        private var forAll: [Declaration] = []
        /// How many rules there are, each of which librsvg tries on each element.
        private(set) var ruleCount = 0
        private var byClass: [String: [Declaration]] = [:]

        init(_ text: String) {
            for rule in Self.withoutComments(text).split(separator: "}") {
                let parts = rule.split(separator: "{", maxSplits: 1, omittingEmptySubsequences: false)
                guard parts.count == 2 else { continue }
                ruleCount += 1
                let declarations = Self.declarations(in: parts[1])
                for selector in parts[0].split(separator: ",") {
                    let name = selector.filter { !$0.isWhitespace }
                    let isClass =
                        name.first == "."
                        && name.dropFirst().allSatisfy { $0.isLetter || $0.isNumber || "-_".contains($0) }
                    if isClass, selector.split(whereSeparator: \.isWhitespace).count == 1 {
                        byClass[String(name.dropFirst()), default: []] += declarations
                    } else {
                        // Plain colors and the like once: they make the same work.
                        forAll += declarations.filter { new in !forAll.contains { $0 == new } }
                    }
                }
            }
        }

        /// By attributes, the style attribute and rules.
        func declarations(for element: SVGMarkup.Element) -> [Declaration] {
            var found = forAll
            for (name, value) in element.attributes where Self.names.contains(name) { found.append((name, value)) }
            if let style = element.attributes["style"] { found += Self.declarations(in: style[...]) }
            for name in (element.attributes["class"] ?? "").split(whereSeparator: \.isWhitespace) {
                found += byClass[String(name)] ?? []
            }
            return found
        }

        /// Those that make work.
        private static let names: Set = [
            "opacity", "mix-blend-mode", "isolation", "enable-background", "filter", "stroke-dasharray", "stroke",
            "fill",
            "mask", "clip-path", "marker", "marker-start", "marker-mid", "marker-end",
        ]

        private static func declarations(in text: Substring) -> [Declaration] {
            text.split(separator: ";").compactMap { part in
                let words = part.split(separator: ":", maxSplits: 1)
                guard words.count == 2 else { return nil }
                let name = words[0].filter { !$0.isWhitespace }.lowercased()
                let value = words[1].drop(while: \.isWhitespace)
                return counts(name, String(value))
            }
        }

        /// Nil for what makes no work. Of colors only that there is one, or what they refer to.
        private static func counts(_ name: String, _ value: String) -> Declaration? {
            guard names.contains(name) else { return nil }
            if ["fill", "stroke"].contains(name), !value.contains("(") {
                return name == "stroke" && value != "none" ? (name, "black") : nil
            }
            return (name, value)
        }

        private static func withoutComments(_ text: String) -> String {
            var (kept, rest) = ("", text[...])
            while let start = rest.range(of: "/*") {
                kept += rest[..<start.lowerBound]
                guard let end = rest[start.upperBound...].range(of: "*/") else { return kept }
                rest = rest[end.upperBound...]
            }
            return kept + rest
        }
    }
#endif
