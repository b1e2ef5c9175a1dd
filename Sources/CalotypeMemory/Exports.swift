// Keys are made from this type: importing this module imports it, too.
@_exported public import struct CalotypeBase.ByteString
