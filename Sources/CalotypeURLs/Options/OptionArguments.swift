package import CalotypeBase

package struct URLOption: Hashable, Sendable {
    package let name: ByteString
    package let values: [ByteString]

    /// Parses "name:value:value". Returns `nil` if there is no colon.
    package init?(_ part: ByteString) {
        let words = part.split(separator: UInt8(ascii: ":"))
        guard words.count > 1 else { return nil }
        (name, values) = (words[0], Array(words.dropFirst()))
    }

    init(name: ByteString, values: [ByteString]) {
        (self.name, self.values) = (name, values)
    }
}

/// Reads the arguments of an option. Errors name the option.
///
/// An argument counts as omitted if it is missing or empty.
struct OptionArguments {
    /// The long name of the option.
    let name: ByteString
    let values: [ByteString]

    func isOmitted(_ index: Int) -> Bool { !values.indices.contains(index) || values[index].isEmpty }

    func atMost(_ count: Int) throws(RenditionError) {
        guard values.count > count else { return }
        throw error("it has \(values.count) arguments, and takes \(count)")
    }

    func dropFirst(_ count: Int) -> OptionArguments {
        OptionArguments(name: name, values: Array(values.dropFirst(count)))
    }

    func text(_ index: Int) throws(RenditionError) -> ByteString {
        guard !isOmitted(index) else { throw error("an argument is missing") }
        return values[index]
    }

    /// Returns `true` for 1, t or true in any case. As in imgproxy, every other text is `false`.
    func flag(_ index: Int) throws(RenditionError) -> Bool {
        guard !isOmitted(index) else { return false }
        return ["1", "t", "true"].contains(values[index].lowercasedASCII)
    }

    func integer(_ index: Int, in range: ClosedRange<Int>) throws(RenditionError) -> Int {
        let text = try text(index)
        let isNegative = text.hasPrefix("-")
        guard let digits = (isNegative || text.hasPrefix("+") ? text.dropFirst() : text).asDigits else {
            throw error("\(text.quoted) is not a whole number")
        }
        let number = isNegative ? -digits : digits
        guard range.contains(number) else {
            throw error("\(number) is not from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    func number(_ index: Int, in range: ClosedRange<Double>) throws(RenditionError) -> Double {
        let text = try text(index)
        // `Double` also reads "nan", "inf" and hexadecimal digits.
        let isDecimal = text.withBytes { $0.allSatisfy { (0x30...0x39).contains($0) || "-+.eE".utf8.contains($0) } }
        guard isDecimal, let number = Double(text.string) else { throw error("\(text.quoted) is not a number") }
        guard range.contains(number) else {
            throw error("\(text.quoted) is not from \(range.lowerBound.short) to \(range.upperBound.short)")
        }
        // Adding zero turns -0.0 into 0.0.
        return number + 0
    }

    /// Returns a number that is above 0 and at most `limit`.
    func factor(_ index: Int, to limit: Double) throws(RenditionError) -> Double {
        let number = try number(index, in: 0...limit)
        guard number > 0 else { throw error("\(values[index].quoted) is not above 0") }
        return number
    }

    func color(_ index: Int) throws(RenditionError) -> ImageColor {
        let text = try text(index)
        guard [3, 6].contains(text.count), let color = ImageColor("#\(text.string)") else {
            throw error("\(text.quoted) is not a color such as ff8000")
        }
        return color
    }

    /// Reads all arguments into an anchor: the name of a place, such as "noea", and up to two offsets. An omitted
    /// argument changes nothing.
    func readAnchor(
        _ anchor: inout RenditionOptions.Anchor, _ allowed: [RenditionOptions.Place]
    ) throws(RenditionError) {
        let place = isOmitted(0) ? anchor.place : try place(allowed)
        try atMost(place == .smart ? 1 : 3)
        anchor.place = place
        switch place {
        case .smart: anchor = RenditionOptions.Anchor(place: .smart)
        case .focus:
            anchor.x = try number(1, in: 0...1)
            anchor.y = try number(2, in: 0...1)
        default:
            if !isOmitted(1) { anchor.x = try number(1, in: -65_535...65_535) }
            if !isOmitted(2) { anchor.y = try number(2, in: -65_535...65_535) }
        }
    }

    private func place(_ allowed: [RenditionOptions.Place]) throws(RenditionError) -> RenditionOptions.Place {
        let text = try text(0)
        guard let place = allowed.first(where: { ByteString($0.rawValue) == text }) else {
            throw error("\(text.quoted) is not one of \(allowed.map(\.rawValue).joined(separator: ", "))")
        }
        return place
    }

    func error(_ problem: String) -> RenditionError { .option(name, problem) }
}

extension Double {
    /// The shortest text that reads as the same number: "2", "0.5".
    var short: ByteString {
        let text = ByteString(description)
        return text.hasSuffix(".0") ? ByteString(text.string.dropLast(2)) : text
    }
}

extension RenditionOptions.Anchor {
    /// The anchor as the arguments of an option.
    var text: ByteString {
        switch place {
        case .smart: "sm"
        case _ where x == 0 && y == 0 && place != .focus: ByteString(place.rawValue)
        default: "\(place.rawValue):\(x.short):\(y.short)"
        }
    }
}

extension [RenditionOptions.Place] {
    static var ofCrops: Self { RenditionOptions.Place.allCases.filter { $0 != .tiles } }
    static var ofCanvases: Self { ofCrops.filter { $0 != .smart } }
    static var ofWatermarks: Self { ofCanvases.filter { $0 != .focus } + [.tiles] }
}
