// `import Calotype` is enough: the types that a caller writes are declared in these modules, which are products as well.

@_exported public import CalotypeCodecs
@_exported public import CalotypeHTTP
@_exported public import CalotypeHTTPCache
@_exported public import CalotypeMemory
@_exported public import CalotypeStore
@_exported public import CalotypeTransport
@_exported public import ResourceProvider
// No request is written without a URL.
@_exported public import Foundation
