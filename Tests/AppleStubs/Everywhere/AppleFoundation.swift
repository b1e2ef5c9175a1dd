// Foundation as Apple's platforms have it: with URLSession and all else that Linux has in FoundationNetworking.
@_exported public import Foundation
@_exported public import FoundationNetworking
