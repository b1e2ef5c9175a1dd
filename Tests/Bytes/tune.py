"""Searches for the constants of JPEGTables.swift: tune.py PROGRAM FOLDER [--size 400] [--scores 70,62] [--rounds 40]

The program is that of Scripts/tune-jpeg. A candidate is a vector of logarithms of weights. A round draws candidates around the mean of
the better half of those before, with the spread of that half for each weight. For each candidate and image, the bytes are
compared with those that libjpeg-turbo needs for the score that the candidate reaches.
"""
import argparse
import io
import math
import os
import subprocess
import tempfile

import numpy
from PIL import Image as Pillow

import encoders
import metrics

QUALITIES = [15, 25, 35, 45, 55, 62, 68, 74, 79, 83, 87, 90, 93, 96, 98]
DISTANCES = [0, 1, 2, 4, 7, 10]
CANDIDATES = 10
# The share of butteraugli in the cost.
BUTTERAUGLI = 0.35
# The constants of JPEGTables.swift: weights of luma in 1/256 and on its diagonal, of Cb and of Cr.
START = [139, 327, 497, 906, 2383, 57], [132, 345, 386, 794, 1187, 2505], [155, 216, 276, 470, 616, 958]

rows, columns = numpy.mgrid[0:8, 0:8]
distances = numpy.sqrt(rows ** 2 + columns ** 2)
diagonals = 2 * rows * columns / numpy.maximum(rows ** 2 + columns ** 2, 1) * (distances > 1)
zigzag = sorted(range(64), key=lambda i: (i // 8 + i % 8, i // 8 if (i // 8 + i % 8) % 2 else i % 8))


def constants(vector):
    """The weights of luma, of its diagonal, of Cb and of Cr in 1/256. Luma's at a distance of 1 is 256."""
    weights = numpy.rint(256 * numpy.exp(vector)).astype(int).tolist()
    diagonal = round(256 * vector[5])
    return [weights[0], 256, *weights[1:5]], diagonal, weights[6:12], weights[12:18]


def tables(vector, scale):
    luma, diagonal, cb, cr = constants(vector)
    steps = [numpy.interp(distances, DISTANCES, weights) for weights in (luma, cb, cr)]
    steps[0] = steps[0] * (1 + diagonal / 256 * diagonals)
    return [numpy.clip(numpy.rint(scale * each / 256), 1, 255).astype(int).reshape(64)[zigzag] for each in steps]


class Image:
    """An image with libjpeg-turbo's bytes by score: SSIMULACRA2, and butteraugli's norm with the opposite sign."""

    def __init__(self, source, size, path):
        self.pillow, self.path = Pillow.open(source).convert("RGB"), path
        self.pillow.thumbnail((size, size), Pillow.LANCZOS, reducing_gap=None)
        self.pillow.save(path)
        self.pixels = numpy.array(self.pillow)
        self.original = metrics.Original(self.pixels)
        points = []
        for quality in QUALITIES:
            data, _ = encoders.turbo(self, quality)
            score, norm = self.original.scores(numpy.array(Pillow.open(io.BytesIO(data)).convert("RGB")), True)
            points.append((math.log(len(data)), score, -(norm or 0)))
        counts, scores, norms = zip(*points)
        self.curves = [(numpy.maximum.accumulate(column), counts) for column in (scores, norms)]


class Tuning:
    def __init__(self, program, folder, size, wanted):
        self.work = tempfile.TemporaryDirectory()
        self.encoder = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.wanted = wanted
        # Kept near the wanted scores, from one round to the next.
        self.scales = [10.0 for _ in wanted]
        self.images = [Image(os.path.join(folder, name), size, os.path.join(self.work.name, f"{number}.ppm"))
                       for number, name in enumerate(sorted(os.listdir(folder)))]

    def encoded(self, image, steps):
        path = os.path.join(self.work.name, "result.jpg")
        numbers = ",".join(str(step) for each in steps for step in each)
        self.encoder.stdin.write(f"{image.path} {path} {numbers}\n")
        self.encoder.stdin.flush()
        count = int(self.encoder.stdout.readline())
        return count, numpy.array(Pillow.open(path).convert("RGB"))

    def cost(self, vector, reached):
        """The mean logarithm of the ratio of bytes: by butteraugli at the last of the scores, and by SSIMULACRA2 at all."""
        ratios = {"S2": [], "B": []}
        for index, scale in enumerate(self.scales):
            steps, scores = tables(vector, scale), []
            for image in self.images:
                count, pixels = self.encoded(image, steps)
                score, norm = image.original.scores(pixels, index + 1 == len(self.scales))
                scores.append(score)
                for metric, value, curve in (("S2", score, image.curves[0]), ("B", norm and -norm, image.curves[1])):
                    if value is not None: ratios[metric].append(math.log(count) - numpy.interp(value, *curve))
            reached[index].append(sum(scores) / len(scores))
        means = {metric: sum(each) / len(each) for metric, each in ratios.items() if each}
        return (1 - BUTTERAUGLI) * means["S2"] + BUTTERAUGLI * means["B"] if "B" in means else means["S2"]

    def run(self, rounds):
        luma, cb, cr = START
        vector = numpy.array([*numpy.log(numpy.array(luma[:5]) / 256), luma[5] / 256, *numpy.log(numpy.array(cb + cr) / 256)])
        random, spread = numpy.random.default_rng(1), numpy.full(vector.size, 0.1)
        best = math.inf
        for number in range(rounds):
            reached = [[] for _ in self.scales]
            drawn = [vector] + [vector + spread * random.standard_normal(vector.size) for _ in range(CANDIDATES - 1)]
            costs = [self.cost(candidate, reached) for candidate in drawn]
            for index, scores in enumerate(reached):
                self.scales[index] *= math.exp(0.025 * (sum(scores) / len(scores) - self.wanted[index]))
            half = [drawn[index] for index in numpy.argsort(costs)[:CANDIDATES // 2]]
            vector = numpy.mean(half, axis=0)
            spread = numpy.maximum(0.8 * spread + 0.2 * numpy.std(half, axis=0), 0.02)
            if min(costs) < best:
                best = min(costs)
                print(f"round {number}: {math.exp(best):.4f}", *constants(vector), flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("folder")
    parser.add_argument("--size", type=int, default=400)
    parser.add_argument("--scores", default="70,62")
    parser.add_argument("--rounds", type=int, default=40)
    options = parser.parse_args()
    wanted = [float(score) for score in options.scores.split(",")]
    Tuning(options.program, options.folder, options.size, wanted).run(options.rounds)
