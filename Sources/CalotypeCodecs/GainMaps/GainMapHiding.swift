/// The gain maps of a file that no library shall see: one that refuses a map would refuse its base, too.
extension HEIFItems {
    /// Returns the types of the items, properties and references that belong to gain maps alone.
    ///
    /// - Parameter entries: Whether the types of the entries in the list of items are returned in place of the items' own. libheif
    ///   reads the content of each item that it lists, and libavif permits only entries in that list.
    func typesOfGainMaps(hidingEntries entries: Bool) -> [ByteReader] {
        let maps = itemsOfGainMaps
        let described = maps.union(maps.flatMap { references.descriptions[$0, default: []] })
        let hidden = described.subtracting(shown(beside: maps))
        guard !hidden.isEmpty else { return [] }
        let items = hidden.compactMap { entries ? entry(of: $0)?.type : type(of: $0) }
        let attached = references.all.filter { reference in
            // An alpha image of several items stays one.
            hidden.contains(reference.item)
                || reference.isAttachment && !isAlphaOrDepth(reference.item)
                    && reference.targets.contains(where: hidden.contains)
        }
        return items + properties(onlyOf: hidden).map(\.type) + attached.map(\.type)
    }

    /// The maps by ISO 21496-1 with the images derived from them, and Apple's, each with its parts.
    private var itemsOfGainMaps: Set<Int> {
        let derived = all(.toneMap)
        let maps = derived.flatMap { references.parts[$0, default: []].dropFirst() }
        let auxiliaries = references.auxiliaries[primary, default: []]
            .filter { auxiliaryKinds(of: $0).contains(where: \.isAppleGainMap) }
        return whole(maps + auxiliaries).union(derived)
    }

    /// Returns the items that decoders need of the primary image: it, its parts, and its auxiliary images that are no maps.
    private func shown(beside maps: Set<Int>) -> Set<Int> {
        let image = whole([primary])
        let auxiliaries = image.flatMap { references.auxiliaries[$0, default: []] }
        return image.union(whole(auxiliaries.filter { !maps.contains($0) || isAlphaOrDepth($0) }))
    }

    private func isAlphaOrDepth(_ item: Int) -> Bool {
        auxiliaryKinds(of: item).contains { $0.isAlpha || $0.isDepth }
    }

    /// Returns items with all their parts.
    private func whole(_ items: [Int]) -> Set<Int> {
        var (found, rest) = (Set<Int>(), items)
        while let item = rest.popLast() {
            if found.insert(item).inserted { rest += references.parts[item, default: []] }
        }
        return found
    }
}

extension UnsafeRawBufferPointer {
    /// Copies a file to memory of its size, and replaces these types of its boxes by one that all readers pass over.
    func copy(to memory: UnsafeMutableRawPointer, hiding types: [ByteReader]) -> UnsafeRawBufferPointer {
        let copy = UnsafeMutableRawBufferPointer(start: memory, count: count)
        copy.copyMemory(from: self)
        for type in types {
            guard let start = baseAddress, let place = type.bytes(at: 0, count: 4)?.baseAddress else { continue }
            for (offset, byte) in "free".utf8.enumerated() { copy[place - start + offset] = byte }
        }
        return UnsafeRawBufferPointer(copy)
    }
}
