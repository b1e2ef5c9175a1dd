#if GTK
    import Calotype
    import CalotypeUI

    /// How many pictures were shown, by the nearest layer that had them.
    struct LoadCounts {
        private(set) var memory = 0
        private(set) var disk = 0
        private(set) var network = 0

        mutating func count(_ image: LoadedImage) {
            switch image.origin {
            case .memory: memory += 1
            case .disk: disk += 1
            default: network += 1
            }
        }

        var line: String { "memory \(memory)   ·   disk \(disk)   ·   network \(network)" }
    }
#endif
