// Requests, responses, clocks and bitmaps: tests that use this module alone can name them.
@_exported public import CalotypeHTTP
@_exported public import struct CalotypeBase.WallClock
@_exported public import struct CalotypeCodecs.Bitmap
