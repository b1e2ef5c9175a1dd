#pragma once
#if !__has_include(<jpeglib.h>)
#error "Calotype needs libjpeg-turbo, which is missing: sudo apt-get install libjpeg-dev"
#endif
// jpeglib.h uses size_t and FILE without including their header.
#include <stdio.h>
#include <jpeglib.h>
#include <jerror.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// Decodes a whole JPEG, a few rows at a time; or a progressive JPEG that arrives in pieces, in libjpeg's buffered-image
// mode: the coefficients stay in memory, so that each byte is decoded once. libjpeg reports failures by longjmp, which
// must not cross Swift's frames, so every function that calls libjpeg has its own setjmp.

/// The maximum number of scans, as in libjpeg-turbo's tools: even a short scan takes the time of a whole image.
enum { CALOTYPE_JPEG_SCAN_LIMIT = 500 };

typedef struct calotype_jpeg {
    struct jpeg_decompress_struct decoder;
    struct jpeg_error_mgr errors;
    struct jpeg_source_mgr source;
    struct jpeg_progress_mgr progress;
    jmp_buf failure;
    /// The offset of the next byte in the file, and the number of bytes to skip that have not arrived yet.
    size_t offset, skipped;
    /// The highest index of a coefficient in the complete scans: 0 if they contain only block averages.
    int highest_coefficient;
    /// The number of warnings about lost pixels.
    long losses;
    /// Whether decoding continues after such a warning. It never continues after an error.
    bool accepts_losses;
    bool is_started, has_failed;
    /// libjpeg's text for the failure or the first loss. Empty if there is none.
    char message[JMSG_LENGTH_MAX];
} calotype_jpeg;

static inline calotype_jpeg *calotype_jpeg_of(j_common_ptr decoder) { return (calotype_jpeg *)decoder->client_data; }

/// Leaves libjpeg. Its decoder can only be freed afterwards.
static inline void calotype_jpeg_leave(j_common_ptr decoder) { longjmp(calotype_jpeg_of(decoder)->failure, 1); }

/// Called for each error that libjpeg cannot continue after, whatever warnings came before it.
static inline void calotype_jpeg_fail(j_common_ptr decoder) {
    decoder->err->format_message(decoder, calotype_jpeg_of(decoder)->message);
    calotype_jpeg_leave(decoder);
}

/// Whether the file has had a scan for each component and, if it is progressive, for each bit of each coefficient.
static inline bool calotype_jpeg_has_all_scans(j_decompress_ptr decoder) {
    // Before the first scan, libjpeg has not set these fields.
    if (decoder->input_scan_number == 0) return false;
    for (int component = 0; component < decoder->num_components; component++) {
        if (!decoder->comp_info[component].quant_table) return false;
        if (!decoder->progressive_mode) continue;
        for (int coefficient = 0; coefficient < DCTSIZE2; coefficient++) {
            if (!decoder->coef_bits || decoder->coef_bits[component][coefficient] != 0) return false;
        }
    }
    return true;
}

/// Whether a warning means that pixels are lost. Most others concern bytes that no pixel needs.
static inline bool calotype_jpeg_loses_pixels(j_common_ptr common) {
    j_decompress_ptr decoder = (j_decompress_ptr)common;
    switch (common->err->msg_code) {
    case JWRN_ARITH_BAD_CODE: case JWRN_HIT_MARKER: case JWRN_HUFF_BAD_CODE: case JWRN_MUST_RESYNC: return true;
    case JWRN_JPEG_EOF:
        if (calotype_jpeg_of(common)->is_started && decoder->output_scanline >= decoder->output_height) return false;
        // With Huffman coding, libjpeg reads ahead of the pixels, and warns by JWRN_HIT_MARKER if bits are missing. No
        // warning follows if a scan is missing, or if arithmetic decoding continues with zeros.
        return decoder->arith_code || !calotype_jpeg_has_all_scans(decoder);
    default: return false;
    }
}

static inline void calotype_jpeg_message(j_common_ptr decoder, int level) {
    if (level >= 0 || !calotype_jpeg_loses_pixels(decoder)) return;
    calotype_jpeg *jpeg = calotype_jpeg_of(decoder);
    if (jpeg->losses++ == 0) decoder->err->format_message(decoder, jpeg->message);
    if (!jpeg->accepts_losses) calotype_jpeg_leave(decoder);
}

static inline void calotype_jpeg_silence(j_common_ptr decoder) {}

static inline void calotype_jpeg_check_scans(j_common_ptr decoder) {
    if (((j_decompress_ptr)decoder)->input_scan_number <= CALOTYPE_JPEG_SCAN_LIMIT) return;
    snprintf(calotype_jpeg_of(decoder)->message, JMSG_LENGTH_MAX, "more than %d scans", CALOTYPE_JPEG_SCAN_LIMIT);
    calotype_jpeg_leave(decoder);
}

static inline void calotype_jpeg_source(j_decompress_ptr decoder) {}

/// Suspends libjpeg until more bytes have arrived.
static inline boolean calotype_jpeg_fill(j_decompress_ptr decoder) { return FALSE; }

static inline void calotype_jpeg_skip(j_decompress_ptr decoder, long count) {
    if (count <= 0) return;
    size_t there = decoder->src->bytes_in_buffer, wanted = (size_t)count;
    size_t step = wanted < there ? wanted : there;
    decoder->src->next_input_byte += step;
    decoder->src->bytes_in_buffer -= step;
    ((calotype_jpeg *)decoder->client_data)->skipped += wanted - step;
}

/// Returns NULL if memory is exhausted.
static inline calotype_jpeg *calotype_jpeg_new(void) {
    calotype_jpeg *jpeg = (calotype_jpeg *)calloc(1, sizeof(calotype_jpeg));
    if (!jpeg) return NULL;
    jpeg->decoder.err = jpeg_std_error(&jpeg->errors);
    jpeg->errors.error_exit = calotype_jpeg_fail;
    jpeg->errors.emit_message = calotype_jpeg_message;
    jpeg->errors.output_message = calotype_jpeg_silence;
    jpeg->decoder.client_data = jpeg;
    if (setjmp(jpeg->failure)) {
        jpeg_destroy_decompress(&jpeg->decoder);
        free(jpeg);
        return NULL;
    }
    jpeg_create_decompress(&jpeg->decoder);
    jpeg->source.init_source = calotype_jpeg_source;
    jpeg->source.fill_input_buffer = calotype_jpeg_fill;
    jpeg->source.skip_input_data = calotype_jpeg_skip;
    jpeg->source.resync_to_restart = jpeg_resync_to_restart;
    jpeg->source.term_source = calotype_jpeg_source;
    jpeg->decoder.src = &jpeg->source;
    jpeg->progress.progress_monitor = calotype_jpeg_check_scans;
    jpeg->decoder.progress = &jpeg->progress;
    return jpeg;
}

static inline void calotype_jpeg_free(calotype_jpeg *jpeg) {
    jpeg_destroy_decompress(&jpeg->decoder);
    free(jpeg);
}

/// Reads the header and starts decoding, to BGRA or to unconverted CMYK, at `eighths`/8 of the full size. Returns
/// `false` if more bytes are needed.
static inline bool calotype_jpeg_start(calotype_jpeg *jpeg, unsigned int eighths, bool is_cmyk, bool is_buffered) {
    if (jpeg->is_started) return true;
    j_decompress_ptr decoder = &jpeg->decoder;
    if (jpeg_read_header(decoder, TRUE) == JPEG_SUSPENDED) return false;
    decoder->buffered_image = is_buffered;
    decoder->out_color_space = is_cmyk ? JCS_CMYK : JCS_EXT_BGRA;
    decoder->scale_num = eighths;
    decoder->scale_denom = 8;
    jpeg->is_started = jpeg_start_decompress(decoder);
    return jpeg->is_started;
}

// MARK: - Rows of a whole file

/// Continues after the end of the file with an end-of-image marker, as libjpeg's own sources do.
static inline boolean calotype_jpeg_fill_end(j_decompress_ptr decoder) {
    static const JOCTET end[] = {0xFF, JPEG_EOI};
    decoder->err->msg_code = JWRN_JPEG_EOF;
    decoder->err->emit_message((j_common_ptr)decoder, -1);
    decoder->src->next_input_byte = end;
    decoder->src->bytes_in_buffer = sizeof end;
    return TRUE;
}

static inline void calotype_jpeg_skip_within(j_decompress_ptr decoder, long count) {
    if (count <= 0) return;
    if ((size_t)count > decoder->src->bytes_in_buffer) {
        calotype_jpeg_fill_end(decoder);
        return;
    }
    decoder->src->next_input_byte += count;
    decoder->src->bytes_in_buffer -= (size_t)count;
}

/// Reads the header of a whole file, and all scans if there are several. `bytes` must stay valid until the last row.
///
/// Returns `false` if the file is damaged, or if its rows are not `height` rows of `width` pixels.
static inline bool calotype_jpeg_open(
    calotype_jpeg *jpeg, const unsigned char *bytes, size_t count, unsigned int eighths, bool is_cmyk,
    bool accepts_losses, size_t width, size_t height
) {
    j_decompress_ptr decoder = &jpeg->decoder;
    jpeg->accepts_losses = accepts_losses;
    jpeg->source.fill_input_buffer = calotype_jpeg_fill_end;
    jpeg->source.skip_input_data = calotype_jpeg_skip_within;
    jpeg->source.next_input_byte = bytes;
    jpeg->source.bytes_in_buffer = count;
    jpeg->has_failed = true;
    if (setjmp(jpeg->failure)) return false;
    if (!calotype_jpeg_start(jpeg, eighths, is_cmyk, false)) return false;
    if (decoder->output_width != width || decoder->output_height != height || decoder->output_components != 4) {
        snprintf(jpeg->message, sizeof jpeg->message, "its size is ambiguous");
        return false;
    }
    jpeg->has_failed = false;
    return true;
}

/// The maximum number of rows that one call decodes.
enum { CALOTYPE_JPEG_ROWS = 8 };

/// Decodes the next rows, at most `CALOTYPE_JPEG_ROWS`, from `pixels` on. After the last row, reads the rest of the file.
///
/// Returns the number of rows; 0 once, at the end of the file; or -1 for a damaged file, whose rows are then incomplete.
static inline int calotype_jpeg_rows(calotype_jpeg *jpeg, unsigned char *pixels, size_t stride) {
    j_decompress_ptr decoder = &jpeg->decoder;
    if (jpeg->has_failed) return -1;
    if (setjmp(jpeg->failure)) {
        jpeg->has_failed = true;
        return -1;
    }
    JSAMPROW rows[CALOTYPE_JPEG_ROWS];
    JDIMENSION left = decoder->output_height - decoder->output_scanline, read = 0;
    JDIMENSION count = left < CALOTYPE_JPEG_ROWS ? left : CALOTYPE_JPEG_ROWS;
    if (count == 0) return jpeg_finish_decompress(decoder) ? 0 : -1;
    for (JDIMENSION row = 0; row < count; row++) rows[row] = pixels + row * stride;
    while (read < count) {
        JDIMENSION more = jpeg_read_scanlines(decoder, rows + read, count - read);
        // The source never suspends libjpeg.
        if (more == 0) calotype_jpeg_leave((j_common_ptr)decoder);
        read += more;
    }
    return (int)count;
}

/// Returns libjpeg's reason for a failure.
static inline const char *calotype_jpeg_reason(const calotype_jpeg *jpeg) { return jpeg->message; }

/// Whether libjpeg failed because an allocation failed.
static inline bool calotype_jpeg_has_no_memory(const calotype_jpeg *jpeg) {
    return jpeg->errors.msg_code == JERR_OUT_OF_MEMORY;
}

// MARK: - Scans of a file that arrives

/// Decodes the bytes received since the last call. `bytes` is the file from its start, possibly at a new address.
///
/// Returns the number of complete scans, or -1 for a damaged file.
static inline int calotype_jpeg_read(
    calotype_jpeg *jpeg, const unsigned char *bytes, size_t count, unsigned int eighths, bool is_cmyk
) {
    j_decompress_ptr decoder = &jpeg->decoder;
    if (jpeg->has_failed) return -1;
    if (setjmp(jpeg->failure)) {
        jpeg->has_failed = true;
        return -1;
    }
    size_t start = jpeg->offset < count ? jpeg->offset : count;
    jpeg->skipped = jpeg->offset - start;
    jpeg->source.next_input_byte = bytes + start;
    jpeg->source.bytes_in_buffer = count - start;
    int scans = 0;
    if (calotype_jpeg_start(jpeg, eighths, is_cmyk, true)) {
        int status;
        do {
            status = jpeg_consume_input(decoder);
            decoder->progress->progress_monitor((j_common_ptr)decoder);
            if (status == JPEG_SCAN_COMPLETED && decoder->Se > jpeg->highest_coefficient) {
                jpeg->highest_coefficient = decoder->Se;
            }
        } while (status != JPEG_SUSPENDED && status != JPEG_REACHED_EOI);
        // A scan is complete once the header of the next one has arrived.
        scans = jpeg_input_complete(decoder) ? decoder->input_scan_number : decoder->input_scan_number - 1;
    }
    jpeg->offset = count - jpeg->source.bytes_in_buffer + jpeg->skipped;
    return scans;
}

/// Begins to draw the first `scans` scans, which are complete, and the received part of the next one.
///
/// Returns `false` if the size is not `width` × `height`, or if the file is damaged.
static inline bool calotype_jpeg_begin_drawing(calotype_jpeg *jpeg, int scans, size_t width, size_t height) {
    j_decompress_ptr decoder = &jpeg->decoder;
    if (jpeg->has_failed) return false;
    if (setjmp(jpeg->failure)) {
        jpeg->has_failed = true;
        return false;
    }
    if (decoder->output_width != width || decoder->output_height != height || decoder->output_components != 4) {
        return false;
    }
    return jpeg_start_output(decoder, scans);
}

/// Draws the next rows, at most `CALOTYPE_JPEG_ROWS`, from `pixels` on.
///
/// Returns the number of rows, 0 after the last row, or -1 for a damaged file.
static inline int calotype_jpeg_draw(calotype_jpeg *jpeg, unsigned char *pixels, size_t stride) {
    j_decompress_ptr decoder = &jpeg->decoder;
    if (jpeg->has_failed) return -1;
    if (setjmp(jpeg->failure)) {
        jpeg->has_failed = true;
        return -1;
    }
    int count = 0;
    while (count < CALOTYPE_JPEG_ROWS && decoder->output_scanline < decoder->output_height) {
        JSAMPROW row = pixels + (size_t)count * stride;
        if (jpeg_read_scanlines(decoder, &row, 1) == 0) calotype_jpeg_leave((j_common_ptr)decoder);
        count++;
    }
    if (count == 0) return jpeg_finish_output(decoder) ? 0 : -1;
    return count;
}
