/// A copy of a file whose gain maps no library sees: one that refuses a map would refuse its base, too.
extension HEIFItems {
    /// The types of the items and properties that belong to gain maps by ISO 21496-1 alone.
    private var typesOfGainMaps: [ByteReader] {
        let parts = references.parts
        func whole(_ item: Int) -> [Int] { [item] + parts[item, default: []] }
        var maps: Set<Int> = []
        for item in all(.toneMap) { maps.formUnion([item] + parts[item, default: []].dropFirst().flatMap(whole)) }
        let auxiliaries = references.auxiliaries[primary, default: []].filter { !maps.contains($0) }
        for item in [primary] + auxiliaries { maps.subtract(whole(item)) }
        return maps.compactMap { type(of: $0) } + properties(onlyOf: maps).map(\.type)
    }

    /// Copies a file to memory of its size, and gives its gain maps types that no library knows.
    ///
    /// - Returns: `nil` if the file has no gain map.
    static func copy(_ file: UnsafeRawBufferPointer, to memory: UnsafeMutableRawPointer) -> UnsafeRawBufferPointer? {
        guard let start = file.baseAddress, let items = HEIFItems(ByteReader(file)) else { return nil }
        let types = items.typesOfGainMaps
        guard !types.isEmpty else { return nil }
        let copy = UnsafeMutableRawBufferPointer(start: memory, count: file.count)
        copy.copyMemory(from: file)
        for type in types {
            guard let place = type.bytes(at: 0, count: 4)?.baseAddress else { continue }
            for (offset, byte) in "free".utf8.enumerated() { copy[place - start + offset] = byte }
        }
        return UnsafeRawBufferPointer(copy)
    }
}
