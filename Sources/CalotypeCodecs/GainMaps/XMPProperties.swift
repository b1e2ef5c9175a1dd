/// The properties of some namespaces in an XMP packet (ISO 16684-1): attributes and elements, without their structure.
///
/// Read in one pass. Namespaces hold for the whole packet, wherever their prefixes are declared. Entities are not expanded, and a
/// packet that declares some is not read: XMP needs none.
struct XMPProperties {
    /// The namespace of the numbers of a gain map.
    static let gainMap = "http://ns.adobe.com/hdr-gain-map/1.0/"
    /// The namespace of the directory of a file's images, and that of their properties.
    static let container = "http://ns.google.com/photos/1.0/container/"
    static let items = "http://ns.google.com/photos/1.0/container/item/"
    static let applePixels = "http://ns.apple.com/pixeldatainfo/1.0/"
    static let appleGainMap = "http://ns.apple.com/HDRGainMap/1.0/"

    /// A property with its values: several if it is a list.
    struct Property {
        let namespace: String
        let name: String
        var values: [String]
    }

    /// The properties in the order of the packet. Those of an element with attributes follow each other.
    private(set) var all: [Property] = []

    private static let known = [gainMap, container, items, applePixels, appleGainMap]
    private static let mostProperties = 256
    private static let longestValue = 256

    private var prefixes: [String: String] = [:]
    /// The property whose element is open, and to which text belongs.
    private var open: Int?

    /// - Parameter packet: The packet, of which a segment has at most 64 KB.
    init(_ packet: UnsafeRawBufferPointer) {
        var scanner = XMLScanner(packet)
        while let part = scanner.next(), all.count < Self.mostProperties {
            switch part {
            case .declaration:
                all = []
                return
            case .start(let name, let attributes, let isEmpty): begin(name, attributes, isEmpty: isEmpty)
            case .end(let name): if let open, isProperty(open, name) { self.open = nil }
            case .text(let text): add(text)
            }
        }
    }

    /// Returns the values of the first property of this name, or `nil` if there is none.
    func values(_ namespace: String, _ name: String) -> [String]? {
        all.first { $0.name == name && $0.namespace == namespace }?.values
    }

    func has(_ namespace: String) -> Bool { all.contains { $0.namespace == namespace } }

    private mutating func begin(_ name: XMLScanner.Name, _ attributes: [XMLScanner.Attribute], isEmpty: Bool) {
        for attribute in attributes where attribute.name.prefix == "xmlns" {
            if Self.known.contains(attribute.value) { prefixes[attribute.name.local] = attribute.value }
        }
        if let namespace = prefixes[name.prefix] {
            all.append(Property(namespace: namespace, name: name.local, values: []))
            open = isEmpty ? nil : all.count - 1
        }
        for attribute in attributes {
            guard let namespace = prefixes[attribute.name.prefix] else { continue }
            all.append(Property(namespace: namespace, name: attribute.name.local, values: [attribute.value]))
        }
    }

    private func isProperty(_ index: Int, _ name: XMLScanner.Name) -> Bool {
        all[index].name == name.local && all[index].namespace == prefixes[name.prefix]
    }

    private mutating func add(_ text: String) {
        guard let open, text.utf8.count <= Self.longestValue, all[open].values.count < 16 else { return }
        all[open].values.append(text)
    }
}
