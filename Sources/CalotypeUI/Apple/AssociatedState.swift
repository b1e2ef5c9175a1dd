#if canImport(ObjectiveC)
    import ObjectiveC

    /// The state that an extension attaches to a view for the view's lifetime.
    @MainActor
    enum AssociatedState {
        private static var key: UInt8 = 0

        static func state<State: AnyObject>(of view: AnyObject) -> State? {
            withUnsafePointer(to: &key) { objc_getAssociatedObject(view, $0) as? State }
        }

        static func set(_ state: some AnyObject, of view: AnyObject) {
            withUnsafePointer(to: &key) {
                objc_setAssociatedObject(view, $0, state, .OBJC_ASSOCIATION_RETAIN_NONATOMIC)
            }
        }
    }
#endif
