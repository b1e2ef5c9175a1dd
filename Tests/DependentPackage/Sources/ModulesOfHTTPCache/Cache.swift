import CalotypeHTTP
import CalotypeHTTPCache

func cached(_ transport: some Transport) -> some Transport {
    transport.cached(in: HTTPCache(rules: .private, memory: 1 << 20))
}
