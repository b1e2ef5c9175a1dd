"""SSIMULACRA2 (higher is better) and butteraugli's 3-norm (lower is better) of 8-bit RGB."""
import ctypes
import ctypes.util
import os
import subprocess
import tempfile

import numpy

FOLDER = os.path.dirname(os.path.abspath(__file__))


def built_library():
    """Compiles the files of CalotypeComparison that compute SSIMULACRA2, and loads them."""
    source = os.path.join(FOLDER, "../../Sources/CalotypeComparison")
    names = ["SimilarityImage", "SimilarityImage+Pixels", "SimilaritySize", "SimilarityWeights"]
    with tempfile.TemporaryDirectory() as folder:
        library = os.path.join(folder, "similarity.so")
        subprocess.run(["swiftc", "-O", "-whole-module-optimization", "-module-name", "Score", "-emit-library", "-o", library,
                        os.path.join(FOLDER, "Score.swift"), *(os.path.join(source, name + ".swift") for name in names)],
                       check=True, cwd=folder)
        return ctypes.CDLL(library)


similarity = built_library()
similarity.similarity_original.restype = ctypes.c_void_p
similarity.similarity_original.argtypes = [ctypes.c_void_p, ctypes.c_int32, ctypes.c_int32]
similarity.similarity_score.restype = ctypes.c_double
similarity.similarity_score.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int32, ctypes.c_int32]
similarity.similarity_free.argtypes = [ctypes.c_void_p]


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


def with_alpha(pixels):
    """BGRA, as the program compares it."""
    height, width = pixels.shape[:2]
    image = numpy.full((height, width, 4), 255, dtype=numpy.uint8)
    image[..., :3] = pixels[..., ::-1]
    return image


class Original:
    """An image that files are compared with."""

    def __init__(self, pixels):
        self.pixels = numpy.ascontiguousarray(pixels, dtype=numpy.uint8)
        image = with_alpha(self.pixels)
        self.reference = similarity.similarity_original(image.ctypes.data, image.shape[1], image.shape[0])

    def __del__(self):
        if getattr(self, "reference", None): similarity.similarity_free(self.reference)

    def scores(self, pixels, with_butteraugli):
        """Returns SSIMULACRA2 and butteraugli's 3-norm, or `None` for the latter."""
        image = with_alpha(pixels)
        norm = None
        if with_butteraugli and butteraugli: norm = butteraugli.norm(self.pixels, numpy.ascontiguousarray(pixels))
        return similarity.similarity_score(self.reference, image.ctypes.data, image.shape[1], image.shape[0]), norm
