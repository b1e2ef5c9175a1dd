import CalotypeMemory
import CalotypeStore
import Foundation
import ResourceProvider
import ResourceProviderParts

func memory(bytes: Int) -> MemoryCache<Data> {
    MemoryCache(options: MemoryCacheOptions(costLimit: bytes)) { $0.count }
}

func files() -> some RemovableAsyncCache<URL, Data> {
    LocalFileDataCache().concurrent(on: BlockingPool(threads: 1)).mapID { (url: URL) in url.absoluteString }
}
