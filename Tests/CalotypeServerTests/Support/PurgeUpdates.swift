@testable import CalotypeServer

// A look or an update of their loops, now.

extension PurgeControl {
    func update() async {
        await look()
        await sweep.runIfDue()
    }
}

extension PurgeSync {
    func update() async {
        async let near: Void = updateFromNodes()
        await updateFromBucket()
        await near
    }
}
