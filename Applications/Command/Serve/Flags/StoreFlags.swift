import CalotypeServer

extension StoreOptions {
    /// The flags of the stores, in the order of the help. `ProxyOptions.swift` has them.
    static let flags: [Option] = [.store, .storeSize]

    mutating func read(_ arguments: Arguments) throws(UsageError) {
        folder = try arguments.storeFolder()
        size = try arguments.storeSize() ?? size
    }
}
