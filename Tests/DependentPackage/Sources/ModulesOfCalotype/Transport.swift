import CalotypeHTTP
import CalotypeTransport

func retrying(_ transport: some Transport) -> some Transport { transport.retried(.twice) }
