/// The references between the images of a HEIF file: from grids to tiles, from images to their alpha.
///
/// They are checked before libheif follows them, because it does so without a limit: an overlay that references
/// itself would crash the process.
struct HEIFReferences {
    /// The maximum depth of references. A phone's photo has a depth of 2: an alpha image, and its grid of tiles.
    private static let depthLimit = 8
    private static let partLimit = 1 << 14

    /// The images that each image is made of, in order.
    private(set) var parts: [Int: [Int]] = [:]
    /// The auxiliary images of each image, such as its alpha.
    private(set) var auxiliaries: [Int: [Int]] = [:]
    /// The metadata of each item.
    private(set) var descriptions: [Int: [Int]] = [:]
    /// All references in the order of the file.
    private(set) var all: [Reference] = []

    struct Reference {
        let item: Int
        let targets: [Int]
        /// The four bytes of the type in the file.
        let type: ByteReader

        /// Whether the item is an auxiliary image, a thumbnail or metadata of the targets.
        var isAttachment: Bool { (["auxl", "thmb", "cdsc"] as [StaticString]).contains { type.has($0, at: 0) } }
    }

    /// Throws `damaged` if a list of references is malformed, or an image depends on itself or is nested too
    /// deeply, and `tooLarge` if an image has too many parts.
    static func check(_ file: ByteReader) throws(CodecError) {
        let references = try HEIFReferences(file.boxes("meta", from: 0))
        var known: [Int: Int] = [:]
        for item in Set(references.parts.keys).union(references.auxiliaries.keys) {
            _ = try references.count(item, depth: 0, &known)
        }
    }

    /// Reads the lists of references of these meta boxes.
    init(_ metas: [ByteReader]) throws(CodecError) {
        for meta in metas {
            // Skip the version and flags.
            for list in meta.boxes("iref", from: 4) { try read(list) }
        }
    }

    /// Reads an iref box (ISO/IEC 14496-12, 8.11.12): for each item, its references, with item IDs of 2 or 4 bytes.
    private mutating func read(_ list: ByteReader) throws(CodecError) {
        let isWide = list.uint8(at: 0) != 0
        func number(_ offset: Int) -> Int? { isWide ? list.uint32(at: offset) : list.uint16(at: offset) }
        let width = isWide ? 4 : 2
        var offset = 4
        while offset < list.count {
            guard let size = list.uint32(at: offset), let from = number(offset + 8),
                let count = list.uint16(at: offset + 8 + width), size == 10 + width * (count + 1),
                offset + size <= list.count
            else { throw CodecError(.damaged, "HEIC is damaged: its references have the wrong size") }
            let type = list.slice(offset + 4..<offset + 8)
            let targets = (0..<count).compactMap { number(offset + 10 + width * ($0 + 1)) }
            all.append(Reference(item: from, targets: targets, type: type))
            if type.has("dimg", at: 0) { parts[from, default: []] += targets }
            for target in targets {
                // These references are reversed: the auxiliary image names its main image.
                if type.has("auxl", at: 0) { auxiliaries[target, default: []].append(from) }
                if type.has("cdsc", at: 0) { descriptions[target, default: []].append(from) }
            }
            offset += size
        }
    }

    /// Returns the number of images to decode for an item: itself, its parts, and all parts of these.
    private func count(_ item: Int, depth: Int, _ known: inout [Int: Int]) throws(CodecError) -> Int {
        if let count = known[item] { return count }
        guard depth <= Self.depthLimit else {
            throw CodecError(.damaged, "HEIC is damaged: an image is made of itself, or of more than 8 levels")
        }
        var count = 1
        for part in parts[item, default: []] + auxiliaries[item, default: []] {
            count += try self.count(part, depth: depth + 1, &known)
            guard count <= Self.partLimit else {
                throw CodecError(.tooLarge, "HEIC whose image is made of more than \(Self.partLimit) others")
            }
        }
        known[item] = count
        return count
    }
}
