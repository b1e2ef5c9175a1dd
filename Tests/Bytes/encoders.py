"""Encoders: functions of an image and a quality that return a file and the processor time that it took, in seconds."""
import functools
import io
import os
import resource
import subprocess
import time

import pyjpegli
import pyvips
from PIL import Image as Pillow


def timed(function):
    @functools.wraps(function)
    def encode(image, quality):
        start = time.thread_time()
        return function(image, quality), time.thread_time() - start
    return encode


@timed
def turbo(image, quality):
    buffer = io.BytesIO()
    image.pillow.save(buffer, "JPEG", quality=quality, optimize=True, subsampling="4:2:0")
    return buffer.getvalue()


@timed
def mozjpeg(image, quality):
    height, width = image.pixels.shape[:2]
    source = pyvips.Image.new_from_memory(image.pixels.tobytes(), width, height, 3, "uchar")
    return source.jpegsave_buffer(
        Q=quality, optimize_coding=True, interlace=True, trellis_quant=True, overshoot_deringing=True, optimize_scans=True,
        quant_table=3, subsample_mode="on", keep="none")


@timed
def jpegli(image, quality):
    height, width = image.pixels.shape[:2]
    return pyjpegli.encode(image.pixels.tobytes(), width, height, quality)


@timed
def webp(image, quality):
    buffer = io.BytesIO()
    image.pillow.save(buffer, "WEBP", quality=quality, method=4)
    return buffer.getvalue()


def avif(speed):
    @timed
    def encode(image, quality):
        buffer = io.BytesIO()
        image.pillow.save(
            buffer, "AVIF", quality=quality, speed=speed, subsampling="4:2:0", max_threads=1, advanced={"tune": "ssim"})
        return buffer.getvalue()
    return encode


def calotype(program, suffix, *options):
    """The command's encoder. The time is that of its process, less that of a file at a quality of 1."""
    def run(image, name, *arguments):
        result = os.path.join(image.folder, name)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([program, "resize", image.path, result, *arguments], check=True, stdout=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        with open(result, "rb") as file: data = file.read()
        os.remove(result)
        return data, seconds

    def encode(image, quality):
        # Starting and decoding take the same time for each file: a JPEG of almost no quality stands for them.
        if image.start is None: image.start = run(image, "start.jpg", "--quality", "1")[1]
        data, seconds = run(image, "result." + suffix, "--quality", str(quality), *options)
        return data, max(seconds - image.start, 0)
    return encode


# imgproxy's defaults are libjpeg-turbo at 80, WebP at 79 with an effort of 4, and AVIF at 63 with a speed of 8; sharp's are mozjpeg's
# scans at 80, WebP at 80 with 4, and AVIF at 50 with 4, which libheif hands to libaom as a speed of 5.
def all_encoders(program):
    return {
        "Calotype, JPEG": calotype(program, "jpg"),
        "libjpeg-turbo, optimized (imgproxy)": turbo,
        "mozjpeg, all options": mozjpeg,
        "jpegli": jpegli,
        "Calotype, WebP": calotype(program, "webp"),
        "libwebp, effort 4 (imgproxy, sharp)": webp,
        "Calotype, AVIF, speed 8": calotype(program, "avif", "--avif-speed", "8"),
        "libaom, speed 8 (imgproxy)": avif(8),
        "libaom, speed 5 (sharp)": avif(5),
    }


BASE = "libjpeg-turbo, optimized (imgproxy)"
