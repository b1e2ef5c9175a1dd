#if SVG
    import Foundation

    /// The rules of an SVG's style elements, matched conservatively: rules with a single class selector apply to that
    /// class, all others to every element.
    struct SVGStyleSheet {
        typealias Declaration = (name: String, value: String)

        private var forAll: [Declaration] = []
        /// The number of rules. librsvg matches each of them against each element.
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
                        // Add equal declarations only once: repeating them does not change the cost.
                        forAll += declarations.filter { new in !forAll.contains { $0 == new } }
                    }
                }
            }
        }

        /// Returns an element's declarations from attributes, the style attribute and rules.
        func declarations(for element: SVGMarkup.Element) -> [Declaration] {
            var found = forAll
            for (name, value) in element.attributes where Self.names.contains(name) { found.append((name, value)) }
            if let style = element.attributes["style"] { found += Self.declarations(in: style[...]) }
            for name in (element.attributes["class"] ?? "").split(whereSeparator: \.isWhitespace) {
                found += byClass[String(name)] ?? []
            }
            return found
        }

        /// The properties that affect the cost.
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

        /// Returns a declaration that affects the cost, or `nil`. Replaces plain stroke colors with one value.
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
