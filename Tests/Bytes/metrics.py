"""SSIMULACRA2 (higher is better) and butteraugli's 3-norm (lower is better) of 8-bit RGB."""
import ctypes
import ctypes.util
import os
import subprocess
import tempfile

import numpy

FOLDER = os.path.dirname(os.path.abspath(__file__))


def built_library():
    """Compiles ssimulacra2.c and loads it. Scores need no contraction of products and sums to be repeatable."""
    source = os.path.join(FOLDER, "ssimulacra2.c")
    with tempfile.TemporaryDirectory() as folder:
        library = os.path.join(folder, "ssimulacra2.so")
        subprocess.run(["cc", "-O3", "-march=native", "-ffp-contract=off", "-fassociative-math", "-fno-signed-zeros",
                        "-fno-trapping-math", "-fno-math-errno", "-shared", "-fPIC", "-o", library, source, "-lm"], check=True)
        return ctypes.CDLL(library)


ssimulacra2 = built_library()
ssimulacra2.ssimulacra2_reference.restype = ctypes.c_void_p
ssimulacra2.ssimulacra2_reference.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_int]
ssimulacra2.ssimulacra2_score.restype = ctypes.c_double
ssimulacra2.ssimulacra2_score.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
ssimulacra2.ssimulacra2_free.argtypes = [ctypes.c_void_p]


class PixelFormat(ctypes.Structure):
    _fields_ = [("channels", ctypes.c_uint32), ("type", ctypes.c_int), ("endianness", ctypes.c_int), ("align", ctypes.c_size_t)]


RGB = PixelFormat(3, 2, 0, 0)


class Butteraugli:
    """libjxl 0.7's, which Debian 12 has; later versions of libjxl do not have it in the library."""

    def __init__(self):
        self.library = ctypes.CDLL("libjxl.so.0.7")
        image = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t]
        for name, result, arguments in [
            ("ApiCreate", ctypes.c_void_p, [ctypes.c_void_p]),
            ("ApiSetIntensityTarget", None, [ctypes.c_void_p, ctypes.c_float]),
            ("Compute", ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_uint32, ctypes.c_uint32] + image + image),
            ("ResultGetDistance", ctypes.c_float, [ctypes.c_void_p, ctypes.c_float]),
            ("ResultDestroy", None, [ctypes.c_void_p]),
        ]:
            function = getattr(self.library, "JxlButteraugli" + name)
            function.restype, function.argtypes = result, arguments
        self.api = self.library.JxlButteraugliApiCreate(None)
        # The default of libjxl's program, in candela per square meter.
        self.library.JxlButteraugliApiSetIntensityTarget(self.api, 80)

    def norm(self, one, other):
        height, width = one.shape[:2]
        layout = ctypes.byref(RGB)
        result = self.library.JxlButteraugliCompute(
            self.api, width, height, layout, one.ctypes.data, one.nbytes, layout, other.ctypes.data, other.nbytes)
        if not result: raise RuntimeError("butteraugli failed")
        distance = self.library.JxlButteraugliResultGetDistance(result, 3.0)
        self.library.JxlButteraugliResultDestroy(result)
        return distance


try:
    butteraugli = Butteraugli()
except OSError:
    butteraugli = None


def mirrored(pixels):
    """Mirrors an image to 256 pixels a side: SSIMULACRA2 gives the weights of the wrong scales to smaller ones."""
    height, width = pixels.shape[:2]
    if min(height, width) >= 256: return pixels
    return numpy.pad(pixels, ((0, max(0, 256 - height)), (0, max(0, 256 - width)), (0, 0)), mode="symmetric")


class Original:
    """An image that files are compared with."""

    def __init__(self, pixels):
        self.pixels = numpy.ascontiguousarray(pixels, dtype=numpy.uint8)
        image = numpy.ascontiguousarray(mirrored(self.pixels))
        self.reference = ssimulacra2.ssimulacra2_reference(image.ctypes.data, image.shape[1], image.shape[0])

    def __del__(self):
        if getattr(self, "reference", None): ssimulacra2.ssimulacra2_free(self.reference)

    def scores(self, pixels, with_butteraugli):
        """Returns SSIMULACRA2 and butteraugli's 3-norm, or `None` for the latter."""
        image = numpy.ascontiguousarray(mirrored(pixels))
        norm = None
        if with_butteraugli and butteraugli: norm = butteraugli.norm(self.pixels, numpy.ascontiguousarray(pixels))
        return ssimulacra2.ssimulacra2_score(self.reference, image.ctypes.data), norm
