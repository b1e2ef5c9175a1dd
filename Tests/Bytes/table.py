"""Bytes of encoders at equal scores, as a table in Markdown: table.py PROGRAM FOLDER [--sizes 400,800] [--encoders TEXT,…]

Each image of the folder is scaled down to each size, and encoded at the qualities that lie around each score. Between two of
them, the logarithm of the bytes is interpolated. A cell is the geometric mean of the ratio to libjpeg-turbo's bytes, over the images
that reach the score with both.
"""
import argparse
import io
import math
import os
import statistics
import sys
import tempfile

import numpy
from PIL import Image as Pillow

import encoders
import metrics

QUALITIES = [15, 25, 35, 45, 55, 62, 68, 74, 79, 83, 87, 90, 93, 96, 98]
SCORES = [("S2", 70), ("S2", 80), ("S2", 88), ("B", 1.0), ("B", 1.5), ("B", 2.0)]


class Image:
    def __init__(self, source, size, folder):
        image = Pillow.open(source).convert("RGB")
        image.thumbnail((size, size), Pillow.LANCZOS, reducing_gap=None)
        self.pillow, self.folder, self.start = image, folder, None
        self.pixels = numpy.array(image)
        self.original = metrics.Original(self.pixels)
        self.path = os.path.join(folder, "source.png")
        self.megapixels = image.width * image.height / 1e6
        # Shared with the next image: written anew before the encoders of this one run.
        image.save(self.path)


class Curve:
    """The bytes and scores of one encoder for one image, made as they are asked for."""

    def __init__(self, encode, image, with_butteraugli):
        self.encode, self.image, self.with_butteraugli, self.points, self.times = encode, image, with_butteraugli, {}, []

    def point(self, quality):
        if quality not in self.points:
            data, seconds = self.encode(self.image, quality)
            self.times.append(1000 * seconds / self.image.megapixels)
            pixels = numpy.array(Pillow.open(io.BytesIO(data)).convert("RGB"))
            score, norm = self.image.original.scores(pixels, self.with_butteraugli)
            self.points[quality] = (len(data), score, None if norm is None else -norm)
        return self.points[quality]

    def bytes_at(self, metric, wanted):
        column, wanted = (1, wanted) if metric == "S2" else (2, -wanted)
        if metric == "B" and (not self.with_butteraugli or metrics.butteraugli is None): return None
        low, high = 0, len(QUALITIES) - 1
        at = lambda index: self.point(QUALITIES[index])[column]
        if at(low) > wanted or at(high) < wanted: return None
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if at(middle) < wanted else (low, middle)
        (fewer, _, _), (more, _, _) = self.point(QUALITIES[low]), self.point(QUALITIES[high])
        part = 0 if at(high) == at(low) else (wanted - at(low)) / (at(high) - at(low))
        return math.exp(math.log(fewer) + part * (math.log(more) - math.log(fewer)))


def images(folder):
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        try:
            with Pillow.open(path) as image: yield path, max(image.size)
        except OSError:
            continue


def mean(ratios):
    if not ratios: return "–"
    return f"{math.exp(statistics.fmean(map(math.log, ratios))):.3f} ({len(ratios)})"


def measure(chosen, sources, size, folder):
    cells = {name: {score: [] for score in SCORES} for name in chosen}
    times, spread = {name: [] for name in chosen}, {name: [] for name in chosen}
    for source in sources:
        image = Image(source, size, folder)
        curves = {name: Curve(encode, image, size == 400) for name, encode in chosen.items()}
        for score in SCORES:
            base = curves[encoders.BASE].bytes_at(*score)
            for name, curve in curves.items():
                taken = curve.bytes_at(*score) if base else None
                if taken: cells[name][score].append(taken / base)
        for name, curve in curves.items():
            times[name] += curve.times
            spread[name].append(curve.point(79)[1])
    for name in chosen:
        row = [mean(cells[name][score]) for score in SCORES]
        range_ = f"{min(spread[name]):.0f}–{max(spread[name]):.0f}"
        print("|", " | ".join([name, *row, range_, f"{statistics.fmean(times[name]):.0f}"]), "|", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("folder")
    parser.add_argument("--sizes", default="150,400,800,1600")
    parser.add_argument("--encoders", default="")
    arguments = parser.parse_args()
    wanted = [text for text in arguments.encoders.split(",") if text]
    chosen = {
        name: encode for name, encode in encoders.all_encoders(arguments.program).items()
        if name == encoders.BASE or not wanted or any(text in name for text in wanted)
    }
    files = list(images(arguments.folder))
    if not files: sys.exit(f"{arguments.folder} has no image that Pillow reads")
    for size in map(int, arguments.sizes.split(",")):
        sources = [path for path, side in files if side >= size]
        print(f"\n{size} pixels, {len(sources)} images\n")
        print("| encoder |", " | ".join(f"{metric} {wanted}" for metric, wanted in SCORES), "| S2 at 79 | ms/MP |")
        print("| --- |" + " --- |" * (len(SCORES) + 2))
        with tempfile.TemporaryDirectory() as folder: measure(chosen, sources, size, folder)


main()
