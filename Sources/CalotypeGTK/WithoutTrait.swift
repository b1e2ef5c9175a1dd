#if !GTK
    // Without the package trait, this module contains only unavailable names, whose messages explain how to enable it.

    @available(*, unavailable, message: "add traits: [\"GTK\"] to the package dependency on Calotype")
    public typealias MainLoop = Never

    @available(*, unavailable, message: "add traits: [\"GTK\"] to the package dependency on Calotype")
    public typealias RemotePicture = Never

    @available(*, unavailable, message: "add traits: [\"GTK\"] to the package dependency on Calotype")
    public typealias RemoteImageGrid<Item> = Never

    @available(*, unavailable, message: "add traits: [\"GTK\"] to the package dependency on Calotype")
    public typealias GridStyle = Never

    @available(*, unavailable, message: "add traits: [\"GTK\"] to the package dependency on Calotype")
    public typealias PictureStyle = Never
#endif
