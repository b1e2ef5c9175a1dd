import CalotypeTesting
@testable import CalotypeUI
import Requirements
import Testing

@Suite struct IdleStartQueueTests {
    private let ms = { (count: Int) in Duration.milliseconds(count) }

    @Test func `in a list that never moved, what waits starts at once`() {
        var rule = IdleStartQueue<Int>()
        rule.add(1)
        #expect(rule.takeDue(at: .zero) == [1])
        #expect(rule.deadline == nil)
    }

    @Test(.requirement("S4.19"))
    func `while the list scrolls nothing starts; 80 ms after it stopped all do, newest first`() {
        var rule = IdleStartQueue<Int>()
        rule.scrolled(at: ms(100))
        for id in 1...3 { rule.add(id) }
        #expect(rule.takeDue(at: ms(179)) == [])
        rule.scrolled(at: ms(150))
        #expect(rule.deadline == ms(230))
        #expect(rule.takeDue(at: ms(229)) == [])
        #expect(rule.takeDue(at: ms(230)) == [3, 2, 1])
        #expect(rule.takeDue(at: ms(300)) == [])
    }

    @Test(.requirement("D4.7")) func `what is withdrawn never starts; what is added again is the newest`() {
        var rule = IdleStartQueue<Int>(quietTime: ms(10))
        rule.scrolled(at: .zero)
        for id in 1...4 { rule.add(id) }
        rule.withdraw(2)
        rule.withdraw(9)
        rule.add(1)
        #expect(rule.count == 3)
        #expect(rule.takeDue(at: ms(10)) == [1, 4, 3])
    }

    @Test func `a time that runs backwards does not make the list rest sooner`() {
        var rule = IdleStartQueue<Int>(quietTime: ms(10))
        rule.scrolled(at: ms(100))
        rule.scrolled(at: ms(50))
        rule.add(1)
        #expect(rule.takeDue(at: ms(60)) == [])
        #expect(rule.deadline == ms(110))
    }
}
