#pragma once
// The messages between a program and its workers. A worker refuses to serve a program of another version.
#include <stdint.h>

#define CALOTYPE_MESSAGES_VERSION 3
#define CALOTYPE_TEXT_LENGTH 200

enum {
    CALOTYPE_HELLO = 1,
    CALOTYPE_HEADER,
    CALOTYPE_COLORS,
    CALOTYPE_DECODE,
    CALOTYPE_DECODE_PART,
    CALOTYPE_OPEN_FRAMES,
    CALOTYPE_LIST_FRAMES,
    CALOTYPE_DECODE_FRAME,
    CALOTYPE_TRANSCODE,
    CALOTYPE_DECODE_PREVIEW,
};

enum { CALOTYPE_VALUE = 1, CALOTYPE_NOTHING, CALOTYPE_ERROR };

enum { CALOTYPE_ALPHA = 1, CALOTYPE_PROGRESSIVE = 2, CALOTYPE_SCALABLE = 4, CALOTYPE_HIDES_DEFAULT = 8 };

typedef struct {
    uint64_t width, height;
    int64_t frame_count; // -1 if unknown
    int64_t seconds, attoseconds;
    double samples_per_pixel;
    uint32_t orientation, bits_per_sample, flags, reserved;
    uint64_t band_bytes; // 0 for an image that is not decoded tile by tile
    char format[16], codec[16];
} calotype_header;

typedef struct {
    uint64_t serial;
    uint32_t kind, decoder;
    uint64_t input_length;
    uint64_t new_input, new_output; // The sizes of new regions, whose descriptors accompany the message, or 0
    calotype_header header;
    uint64_t result_width, result_height, least_width, least_height;
    char filter[16];
    uint64_t number;
    int64_t max_pixels, max_dimension, max_decode_bytes, max_frames;
} calotype_request;

typedef struct {
    uint64_t serial;
    uint32_t kind, status;
    calotype_header header;
    uint64_t width, height, stride, count;
    int64_t loop_count; // -1 for an animation that repeats forever
    uint32_t has_alpha, code, text_length, reserved;
    char text[CALOTYPE_TEXT_LENGTH];
} calotype_answer;

// The description of one animation frame, as stored in the memory that the worker shares with the program.
typedef struct {
    uint64_t x, y, width, height;
    int64_t seconds, attoseconds;
    uint32_t disposal, blends, has_alpha, reserved;
} calotype_frame;

_Static_assert(sizeof(calotype_header) == 104, "no padding, and one layout everywhere");
_Static_assert(sizeof(calotype_request) == 232, "no padding, and one layout everywhere");
_Static_assert(sizeof(calotype_answer) == 376, "no padding, and one layout everywhere");
_Static_assert(sizeof(calotype_frame) == 64, "no padding, and one layout everywhere");
