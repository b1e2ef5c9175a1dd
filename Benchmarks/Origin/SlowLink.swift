import Calotype
import CalotypeBase
import CalotypeHTTP
import CalotypeTesting
import Foundation

/// A transport that delivers a file in pieces, a second apart by a manual clock, which the loader uses too. As soon as
/// the codecs are idle, the clock advances and the next piece follows, so that the benchmark need not wait.
final class SlowLink: Transport {
    let clock = ManualClock()
    private let file: Data
    private let pieces: Int
    private let loader = Locked<ImageLoader?>(nil)

    init(_ file: Data, pieces: Int) {
        self.file = file
        self.pieces = pieces
    }

    /// Sets the loader whose codecs must be idle before each piece is sent.
    func serve(_ loader: ImageLoader) { self.loader.withLock { $0 = loader } }

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        HTTPResponse(
            url: request.url, status: 200, fields: ["Content-Length": "\(file.count)"], body: HTTPBody(Pieces(self)))
    }

    private final class Pieces: HTTPBodySource {
        private let link: SlowLink
        private let sent = Locked(0)

        init(_ link: SlowLink) { self.link = link }

        func next() async throws(TransportError) -> Data? {
            // Sleep first, so that the codecs have received the previous piece.
            repeat {
                try? await Task.sleep(for: .milliseconds(5))
            } while link.loader.withLock { $0 }?.isBusy == true
            link.clock.advance(by: .seconds(1))
            let (start, end) = sent.withLock { sent in
                let start = sent
                sent = min(sent + link.file.count / link.pieces + 1, link.file.count)
                return (start, sent)
            }
            return start < end ? Data(link.file[start..<end]) : nil
        }
    }
}

extension ImageLoader {
    fileprivate var isBusy: Bool {
        let statistics = statistics
        return statistics.codecs + statistics.codecQueue > 0
    }
}
