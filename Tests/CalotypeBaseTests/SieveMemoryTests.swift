import Testing

@testable import CalotypeBase

@Suite struct SieveMemoryTests {
    @Test func `stays within its limit and keeps what is used`() {
        var memory = SieveMemory<String, Int>(limit: 100)
        for number in 0..<10 { memory.set(number, cost: 10, for: "\(number)") }
        #expect(memory.value(for: "0") == 0)
        for number in 10..<14 {
            memory.set(number, cost: 10, for: "\(number)")
            #expect(memory.cost <= 100)
        }
        #expect(memory.value(for: "0") == 0)
        #expect(memory.value(for: "1") == nil)
        #expect(memory.value(for: "13") == 13)
        #expect(memory.count == 10)
    }

    @Test func `replaces, removes and refuses what is too large`() {
        var memory = SieveMemory<String, String>(limit: 100)
        #expect(memory.set("old", cost: 60, for: "a").isEmpty)
        #expect(memory.set("new", cost: 90, for: "a").map(\.value) == ["old"])
        #expect(memory.value(for: "a") == "new")
        #expect(memory.cost == 90)
        memory.set("huge", cost: 101, for: "b")
        #expect(memory.value(for: "b") == nil)
        #expect(memory.value(for: "a") == "new")
        #expect(memory.remove("a")?.value == "new")
        #expect(memory.cost == 0)
        #expect(memory.count == 0)
    }

    @Test func `holds to its limit whatever is asked of it`() {
        var memory = SieveMemory<String, Int>(limit: 1000)
        var seed: UInt64 = 1
        var model: [String: Int] = [:]
        for _ in 0..<20_000 {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let key = "\((seed >> 33) % 60)"
            switch (seed >> 20) % 4 {
            case 0: memory.remove(key); model[key] = nil
            case 1, 2:
                let value = Int((seed >> 40) % 1000)
                memory.set(value, cost: 1 + value % 200, for: key)
                model[key] = value
            default:
                if let found = memory.value(for: key) { #expect(found == model[key]) }
            }
            #expect(memory.cost <= 1000)
        }
    }
}
