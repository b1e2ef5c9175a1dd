import CChafa
import CalotypeCodecs
import Foundation

/// The drawing of images as text for terminals, with libchafa.
///
/// libchafa draws translucent pixels over a background color. Pixels that are all but clear stay unpainted.
enum Chafa {
    static func symbols(
        of bitmap: Bitmap, columns: Int, rows: Int, fullColor: Bool, over background: ImageColor
    ) throws(CodecError) -> Data {
        text(of: bitmap, CALOTYPE_CHAFA_SYMBOLS, over: background) { config in
            chafa_canvas_config_set_geometry(config, Int32(columns), Int32(rows))
            // Use only the 240 colors that are the same everywhere: the other 16 depend on the user's theme.
            if !fullColor { chafa_canvas_config_set_canvas_mode(config, CALOTYPE_CHAFA_INDEXED_240) }
        }
    }

    static func sixels(of bitmap: Bitmap, over background: ImageColor) throws(CodecError) -> Data {
        // Pad the image, because libchafa drops the rows of pixels below the last complete band of six.
        let rest = bitmap.height % 6
        let bands = try bitmap.applying(ImageSteps.Pad(bottom: rest == 0 ? 0 : 6 - rest))
        return text(of: bands, CALOTYPE_CHAFA_SIXELS, over: background) { config in
            // A single cell of the image's size, so that libchafa does not scale the image.
            chafa_canvas_config_set_geometry(config, 1, 1)
            chafa_canvas_config_set_cell_geometry(config, Int32(bands.width), Int32(bands.height))
            chafa_canvas_config_set_dither_mode(config, CALOTYPE_CHAFA_DIFFUSION)
            chafa_canvas_config_set_dither_grain_size(config, 1, 1)
        }
    }

    private static func text(
        of bitmap: Bitmap, _ mode: UInt32, over background: ImageColor, _ configure: (OpaquePointer?) -> Void
    ) -> Data {
        let config = chafa_canvas_config_new()
        defer { chafa_canvas_config_unref(config) }
        chafa_canvas_config_set_pixel_mode(config, mode)
        chafa_canvas_config_set_bg_color(config, background.packed)
        // The transparency above which a pixel is clear. The standard, one half, would drop shadows and soft edges.
        chafa_canvas_config_set_transparency_threshold(config, 0.99)
        configure(config)
        let canvas = chafa_canvas_new(config)
        defer { chafa_canvas_unref(canvas) }
        bitmap.withUnsafeBytes { bytes in
            chafa_canvas_draw_all_pixels(
                canvas, CALOTYPE_CHAFA_BGRA8_PREMULTIPLIED, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self),
                Int32(bitmap.width), Int32(bitmap.height), Int32(bitmap.stride))
        }
        let sequences = chafa_term_db_get_fallback_info(chafa_term_db_get_default())
        defer { chafa_term_info_unref(sequences) }
        guard let text = calotype_chafa_print(canvas, sequences) else { return Data() }
        defer { calotype_chafa_free(text) }
        return Data(bytes: text.pointee.bytes, count: text.pointee.count)
    }
}

extension ImageColor {
    /// The color as libchafa takes it: red in the highest of three bytes.
    fileprivate var packed: UInt32 { UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue) }
}
