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

// Decodes a progressive JPEG that arrives in pieces, in libjpeg's buffered-image mode: the coefficients stay in memory,
// so that each byte is decoded once. libjpeg reports failures by longjmp, which must not cross Swift's frames.

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
    bool is_started, has_failed;
} calotype_jpeg;

static inline void calotype_jpeg_fail(j_common_ptr decoder) {
    longjmp(((calotype_jpeg *)decoder->client_data)->failure, 1);
}

static inline void calotype_jpeg_message(j_common_ptr decoder, int level) {
    if (level >= 0) return;
    switch (decoder->err->msg_code) {
    case JWRN_ARITH_BAD_CODE: case JWRN_HIT_MARKER: case JWRN_HUFF_BAD_CODE: case JWRN_JPEG_EOF: case JWRN_MUST_RESYNC:
        // These warnings mean that pixels are lost.
        calotype_jpeg_fail(decoder);
    }
}

static inline void calotype_jpeg_silence(j_common_ptr decoder) {}

static inline void calotype_jpeg_check_scans(j_common_ptr decoder) {
    if (((j_decompress_ptr)decoder)->input_scan_number > CALOTYPE_JPEG_SCAN_LIMIT) calotype_jpeg_fail(decoder);
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
static inline bool calotype_jpeg_start(calotype_jpeg *jpeg, unsigned int eighths, bool is_cmyk) {
    if (jpeg->is_started) return true;
    j_decompress_ptr decoder = &jpeg->decoder;
    if (jpeg_read_header(decoder, TRUE) == JPEG_SUSPENDED) return false;
    decoder->buffered_image = TRUE;
    decoder->out_color_space = is_cmyk ? JCS_CMYK : JCS_EXT_BGRA;
    decoder->scale_num = eighths;
    decoder->scale_denom = 8;
    jpeg->is_started = jpeg_start_decompress(decoder);
    return jpeg->is_started;
}

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
    if (calotype_jpeg_start(jpeg, eighths, is_cmyk)) {
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

/// Draws the first `scans` scans, which are complete, and the received part of the next one.
///
/// Returns `false` if the size is not `width` × `height`, or if the file is damaged.
static inline bool calotype_jpeg_draw(
    calotype_jpeg *jpeg, int scans, unsigned char *pixels, size_t width, size_t height, size_t stride
) {
    j_decompress_ptr decoder = &jpeg->decoder;
    if (jpeg->has_failed) return false;
    if (setjmp(jpeg->failure)) {
        jpeg->has_failed = true;
        return false;
    }
    if (decoder->output_width != width || decoder->output_height != height || decoder->output_components != 4) {
        return false;
    }
    jpeg_start_output(decoder, scans);
    while (decoder->output_scanline < decoder->output_height) {
        JSAMPROW row = pixels + stride * decoder->output_scanline;
        if (jpeg_read_scanlines(decoder, &row, 1) == 0) calotype_jpeg_fail((j_common_ptr)decoder);
    }
    return jpeg_finish_output(decoder);
}
