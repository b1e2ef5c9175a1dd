/// What becomes of a map below shapes and squares that are drawn into its image.
extension GainMap {
    /// Returns the map, neutral outside a shape of its image; `nil` if no value of the map is neutral.
    ///
    /// - Parameter shape: The shape in pixels of the image; `nil` if nothing of the image remains.
    func clipped(to shape: RoundedShape?, on image: PixelSize) throws(CodecError) -> GainMap? {
        guard let neutral = numbers.neutral else { return nil }
        let map = try drawn(for: image)
        let size = map.samples.size
        let (width, height) = (Double(image.width) / Double(size.width), Double(image.height) / Double(size.height))
        // As many points in each sample as it has pixels of the image, but no more than 16.
        let points = min(max(Int(width.rounded(.up)), 1), 4)
        func pixels(_ sample: Int, _ length: Double, _ count: Int) -> [Int] {
            (0..<points).map { point in
                min(Int((Double(sample) + (Double(point) + 0.5) / Double(points)) * length), count - 1)
            }
        }
        let columns = (0..<size.width).map { pixels($0, width, image.width) }
        let rows = (0..<size.height).map { pixels($0, height, image.height) }
        let clipped = try map.samples.mixed(with: neutral) { x, y in
            guard let shape else { return 1 }
            var inside: UInt32 = 0
            for row in rows[y] { for column in columns[x] { inside += shape.coverage(x: column, y: row) } }
            return 1 - Double(inside) / Double(255 * points * points)
        }
        return map.changing(map.plan, clipped)
    }

    /// Returns the map in squares of its image, each with the mean of its samples. A sample belongs to the square of its
    /// center.
    func pixelated(_ side: Int, on image: PixelSize) throws(CodecError) -> GainMap {
        let map = try drawn(for: image)
        let samples = map.samples
        func groups(_ count: Int, _ pixels: Int) -> [Range<Int>] {
            var groups: [Range<Int>] = []
            var start = 0
            func square(_ sample: Int) -> Int { (2 * sample + 1) * pixels / (2 * count) / side }
            for sample in 1...count where sample == count || square(sample) != square(start) {
                groups.append(start..<sample)
                start = sample
            }
            return groups
        }
        let (columns, rows) = (groups(samples.width, image.width), groups(samples.height, image.height))
        return map.changing(map.plan, try samples.averaged(columns: columns, rows: rows))
    }
}
