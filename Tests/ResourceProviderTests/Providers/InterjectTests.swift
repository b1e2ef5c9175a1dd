import CalotypeTesting
import TestSupport
import Requirements
import ResourceProvider
import Testing

/// S3.21 by FizzBuzz: the source writes numbers, and interjections answer first, the last added before all others.
struct InterjectTests {
    private let expected = [
        "1", "2", "Fizz", "4", "Buzz", "Fizz", "7", "8", "Fizz", "Buzz", "11", "Fizz", "13", "14", "FizzBuzz",
    ]

    @Test(.requirement("S3.21")) func `FizzBuzz where nothing fails`() async {
        let provider = Provider.source { (number: Int) in "\(number)" }
            .interject { $0.isMultiple(of: 3) ? "Fizz" : nil }
            .interject { $0.isMultiple(of: 5) ? "Buzz" : nil }
            .interject { $0.isMultiple(of: 15) ? "FizzBuzz" : nil }
        #expect((1...15).map { provider[$0] } == expected)

        let asynchronous = Provider.source { (number: Int) async in "\(number)" }
            .interject { $0.isMultiple(of: 3) ? "Fizz" : nil }
            .interject { $0.isMultiple(of: 5) ? "Buzz" : nil }
            .interject { $0.isMultiple(of: 15) ? "FizzBuzz" : nil }
        var written: [String] = []
        for number in 1...15 { written.append(await asynchronous.value(for: number)) }
        #expect(written == expected)
    }

    @Test(.requirement("S3.21")) func `FizzBuzz with one error type keeps that type`() async throws(LoadError) {
        let provider = Provider.source { (number: Int) async throws(LoadError) in
            if number > 15 { throw .refused(number) }
            return "\(number)"
        }
        .interject { (number) async throws(LoadError) in
            if number < 1 { throw .broken }
            return number.isMultiple(of: 3) ? "Fizz" : nil
        }
        .interject { $0.isMultiple(of: 5) ? "Buzz" : nil }
        .interject { $0.isMultiple(of: 15) ? "FizzBuzz" : nil }

        var written: [String] = []
        for number in 1...15 { written.append(try await provider.value(for: number)) }
        #expect(written == expected)
        #expect(await failure { () async throws(LoadError) in try await provider.value(for: 16) } == .refused(16))
        #expect(await failure { () async throws(LoadError) in try await provider.value(for: -1) } == .broken)
    }

    @Test(.requirement("S3.21")) func `FizzBuzz with three error types, each of which arrives`() throws {
        let provider = Provider.source { (number: Int) throws(LoadError) in
            if number > 15 { throw .refused(number) }
            return "\(number)"
        }
        .mapError { $0 as any Error }
        .interject { (number) throws(DecodeError) in
            if number == 0 { throw DecodeError() }
            return number.isMultiple(of: 3) ? "Fizz" : nil
        }
        .interject { (number) throws(OtherError) in
            if number < 0 { throw OtherError() }
            return number.isMultiple(of: 5) && number != 0 ? "Buzz" : nil
        }
        .interject { $0.isMultiple(of: 15) && $0 != 0 ? "FizzBuzz" : nil }

        #expect(try (1...15).map { try provider.value(for: $0) } == expected)
        #expect(throws: LoadError.refused(16)) { try provider.value(for: 16) }
        #expect(throws: DecodeError()) { try provider.value(for: 0) }
        #expect(throws: OtherError()) { try provider.value(for: -1) }
    }

    @Test(.requirement("S3.21")) func `a value from an interjection leaves the source unasked`() {
        let asked = Log<Int>()
        let provider = Provider.source { (number: Int) in
            asked.add(number)
            return number
        }
        .interject { $0 == 1 ? 100 : nil }
        #expect(provider[1] == 100)
        #expect(provider[2] == 2)
        #expect(asked.entries == [2])
    }
}
