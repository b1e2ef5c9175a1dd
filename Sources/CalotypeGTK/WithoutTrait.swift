#if !GTK
    public import Calotype
    public import CalotypeUI

    // Without the package trait this module contains only its entry points, whose messages explain how to enable it.

    @available(*, unavailable, message: "add traits: [\"GTK\"] to the package dependency on Calotype")
    @MainActor
    public enum MainLoop {
        public static func start() -> Bool { false }
        public static func attach() {}
        public static func run(_ body: @escaping @MainActor () -> Void) -> Int32 { 0 }
        public static func quit(_ status: Int32 = 0) {}
    }

    @available(*, unavailable, message: "add traits: [\"GTK\"] to the package dependency on Calotype")
    @MainActor
    public final class RemotePicture {
        public init(_ options: RemoteImageOptions? = nil, style: PictureStyle = PictureStyle()) {}
    }

    @available(*, unavailable, message: "add traits: [\"GTK\"] to the package dependency on Calotype")
    @MainActor
    public final class RemoteImageGrid<Item: Identifiable & Sendable> where Item.ID: Sendable {
        public init(
            columns: Int = 3, style: GridStyle = GridStyle(), options: RemoteImageOptions? = nil,
            request: @escaping (Item) -> ImageRequest?, label: @escaping (Item) -> String? = { _ in nil }
        ) {}
    }

    @available(*, unavailable, message: "add traits: [\"GTK\"] to the package dependency on Calotype")
    public struct GridStyle: Hashable, Sendable {
        public init() {}
    }

    @available(*, unavailable, message: "add traits: [\"GTK\"] to the package dependency on Calotype")
    public struct PictureStyle: Hashable, Sendable {
        public enum Fit: Hashable, Sendable { case contain, cover }

        public init(fit: Fit = .contain, ratio: Double? = nil, showsProgress: Bool = true, sizesToPlace: Bool = true) {}
    }
#endif
