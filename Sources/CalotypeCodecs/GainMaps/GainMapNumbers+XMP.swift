import Foundation

/// The form in XMP of Adobe's gain maps, which Android's Ultra HDR has, too.
extension GainMapNumbers {
    /// Returns `nil` if a number is missing, wrong or out of range, or the base is the brighter rendition.
    init?(_ xmp: XMPProperties) {
        func numbers(_ name: String, orElse value: Double?) -> [Double]? {
            guard let texts = xmp.values(XMPProperties.gainMap, name) else { return value.map { [$0] } }
            let numbers = texts.compactMap { Double($0) }
            return numbers.count == texts.count && (numbers.count == 1 || numbers.count == 3) ? numbers : nil
        }
        // The defaults are those of Adobe's specification.
        guard let least = numbers("GainMapMin", orElse: 0), let most = numbers("GainMapMax", orElse: nil),
            let gamma = numbers("Gamma", orElse: 1), let base = numbers("OffsetSDR", orElse: 1 / 64),
            let alternate = numbers("OffsetHDR", orElse: 1 / 64), let lower = numbers("HDRCapacityMin", orElse: 0),
            let upper = numbers("HDRCapacityMax", orElse: nil),
            xmp.values(XMPProperties.gainMap, "BaseRenditionIsHDR")?.first?.lowercased() != "true"
        else { return nil }
        let channels = (0..<3).map { index in
            func number(_ list: [Double]) -> Double { list[list.count == 1 ? 0 : index] }
            return Channel(
                least: number(least), most: number(most), gamma: number(gamma), baseOffset: number(base),
                alternateOffset: number(alternate))
        }
        self.init(channels, baseHeadroom: lower[0], alternateHeadroom: upper[0])
    }

    /// The packet for the image of the map.
    package var xmp: String {
        func list(_ name: String, _ value: KeyPath<Channel, Double>) -> String {
            let items = channels.map { "<rdf:li>\(Self.text($0[keyPath: value]))</rdf:li>" }.joined()
            return "<hdrgm:\(name)><rdf:Seq>\(items)</rdf:Seq></hdrgm:\(name)>"
        }
        func attribute(_ name: String, _ value: Double) -> String { " hdrgm:\(name)=\"\(Self.text(value))\"" }
        // Numbers that readers assume without them are left out: these texts are a part of each small file.
        let values = Self.fields.filter { field in
            channels.contains { Self.text($0[keyPath: field.value]) != field.assumed.map(Self.text) }
        }
        let own =
            (baseHeadroom == 0 ? "" : attribute("HDRCapacityMin", baseHeadroom))
            + attribute("HDRCapacityMax", alternateHeadroom)
        guard channels.count == 1 else {
            return Self.packet(own, content: values.map { list($0.name, $0.value) }.joined())
        }
        let numbers = values.map { attribute($0.name, channels[0][keyPath: $0.value]) }.joined()
        return Self.packet(numbers + own, content: "")
    }

    /// The numbers of a channel, with the values that Adobe's specification assumes if they are missing.
    private static var fields: [(name: String, value: KeyPath<Channel, Double>, assumed: Double?)] {
        [
            ("GainMapMin", \.least, 0), ("GainMapMax", \.most, nil), ("Gamma", \.gamma, 1),
            ("OffsetSDR", \.baseOffset, 1 / 64), ("OffsetHDR", \.alternateOffset, 1 / 64),
        ]
    }

    /// Returns the packet for the base, whose directory names the image of the map.
    ///
    /// - Parameter length: The size of the map's file in bytes.
    static func xmp(ofBaseBefore length: Int) -> String {
        let item = "http://ns.google.com/photos/1.0/container/"
        let names = " xmlns:Container=\"\(item)\" xmlns:Item=\"\(item)item/\""
        func entry(_ semantic: String, _ more: String) -> String {
            "<rdf:li rdf:parseType=\"Resource\"><Container:Item Item:Semantic=\"\(semantic)\" Item:Mime=\"image/jpeg\""
                + "\(more)/></rdf:li>"
        }
        let entries = entry("Primary", "") + entry("GainMap", " Item:Length=\"\(length)\"")
        return packet(
            names, content: "<Container:Directory><rdf:Seq>\(entries)</rdf:Seq></Container:Directory>")
    }

    private static func packet(_ attributes: String, content: String) -> String {
        let start =
            "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">"
            + "<rdf:Description xmlns:hdrgm=\"\(XMPProperties.gainMap)\" hdrgm:Version=\"1.0\"\(attributes)"
        let end = "</rdf:RDF></x:xmpmeta>"
        return content.isEmpty ? "\(start)/>\(end)" : "\(start)>\(content)</rdf:Description>\(end)"
    }

    /// Returns a number with at most six decimals.
    private static func text(_ number: Double) -> String {
        let rounded = (number * 1_000_000).rounded() / 1_000_000
        return rounded == rounded.rounded() ? "\(Int(rounded))" : String(format: "%.6f", rounded)
    }
}
