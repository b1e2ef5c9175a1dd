import CAvif
import CGif
import CIsal
import CJPEG
import CLcms2
import CSpng
import CWebP
import CYuv

#if HEIF
    import CHEIF
#endif
#if JPEGXL
    import CJPEGXL
#endif
#if SVG
    import CRsvg
#endif
#if TIFF
    import CTIFF
#endif

/// The libraries that decode and encode, for diagnostic reports.
package enum CodecLibraries {
    /// The version of each loaded library, or that of its headers if the library does not report one.
    package static var versions: [(name: String, version: String)] {
        let (jpeg, webp) = (Int(LIBJPEG_TURBO_VERSION_NUMBER), WebPGetDecoderVersion())
        var versions = [
            ("libjpeg-turbo", "\(jpeg / 1_000_000).\(jpeg / 1000 % 1000).\(jpeg % 1000)"),
            ("libspng", String(cString: spng_version_string())),
            ("ISA-L", "\(ISAL_MAJOR_VERSION).\(ISAL_MINOR_VERSION).\(ISAL_PATCH_VERSION)"),
            ("libwebp", "\(webp >> 16).\(webp >> 8 & 0xFF).\(webp & 0xFF)"),
            ("libavif", String(cString: avifVersion())),
            ("giflib", "\(GIFLIB_MAJOR).\(GIFLIB_MINOR).\(GIFLIB_RELEASE)"),
            ("libyuv", "\(LIBYUV_VERSION)"),
            ("Little CMS", "\(cmsGetEncodedCMMversion() / 1000).\(cmsGetEncodedCMMversion() % 1000 / 10)"),
        ]
        #if HEIF
            versions.append(("libheif", String(cString: heif_get_version())))
        #endif
        #if JPEGXL
            let version = Int(JxlDecoderVersion())
            versions.append(("libjxl", "\(version / 1_000_000).\(version / 1000 % 1000).\(version % 1000)"))
        #endif
        #if SVG
            versions.append(("librsvg", LIBRSVG_VERSION))
        #endif
        #if TIFF
            let tiff = "\(TIFFLIB_MAJOR_VERSION).\(TIFFLIB_MINOR_VERSION).\(TIFFLIB_MICRO_VERSION)"
            versions.append(("libtiff", tiff))
        #endif
        return versions
    }
}
