"""Images drawn by code, in which gain maps, wide colors and high dynamic range are seen. Only Python's own modules are used."""

import math
import struct
import zlib


def lamp(width, height):
    """Returns a night with lamps as rows of (red, green, blue) in linear light, where 1 is paper white and lamps reach 6."""
    lamps = [(0.22, 0.35, 0.05, (6, 4.4, 2.2)), (0.55, 0.25, 0.03, (5, 5, 5)), (0.8, 0.55, 0.06, (2.2, 3.5, 6))]
    rows = []
    for y in range(height):
        row = []
        for x in range(width):
            u, v = (x + 0.5) / width, (y + 0.5) / height
            ground = 0.02 + 0.12 * v + (0.05 if (int(u * 24) + int(v * 18)) % 2 and v > 0.7 else 0)
            color = [ground, ground * 1.05, ground * 1.3]
            for cx, cy, radius, light in lamps:
                distance = math.hypot(u - cx, (v - cy) * height / width)
                share = min(1, math.exp(-((distance / radius) ** 2) / 2) + 0.04 * math.exp(-distance * 5))
                color = [c + share * l for c, l in zip(color, light)]
            row.append(color)
        rows.append(row)
    return rows


def srgb(light):
    light = min(max(light, 0), 1)
    return 12.92 * light if light <= 0.0031308 else 1.055 * light ** (1 / 2.4) - 0.055


def pq(light):
    """Returns the signal of light, of which 1 is 203 cd/m²."""
    power = (min(max(light * 203, 0), 10_000) / 10_000) ** 0.1593017578125
    return ((0.8359375 + 18.8515625 * power) / (1 + 18.6875 * power)) ** 78.84375


def base(rows):
    """Returns the rows in the standard range: lights above 0.7 are compressed, with their colors."""
    def compressed(color):
        most = max(color)
        if most <= 0.7:
            return color
        return [c * (0.7 + 0.3 * (1 - math.exp(-(most - 0.7) / 0.9))) / most for c in color]
    return [[compressed(color) for color in row] for row in rows]


def gains(rows, flat, ratio, stops):
    """Returns the bytes of a gray map with offsets of 1/64, of each block of `ratio` pixels a side."""
    offset = 1 / 64
    map_rows = []
    for top in range(0, len(rows) - ratio + 1, ratio):
        line = []
        for left in range(0, len(rows[0]) - ratio + 1, ratio):
            places = [(y, x) for y in range(top, top + ratio) for x in range(left, left + ratio)]
            above = sum(max(rows[y][x]) for y, x in places) / len(places)
            below = sum(max(flat[y][x]) for y, x in places) / len(places)
            line.append(round(255 * min(max(math.log2((above + offset) / (below + offset)) / stops, 0), 1)))
        map_rows.append(line)
    return map_rows


def png(width, height, kind, depth, content, code_points=None):
    """Returns a PNG of samples in rows. `code_points` are primaries and curve of ITU-T H.273."""
    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
    colors = chunk(b"cICP", bytes([*code_points, 0, 1])) if code_points else b""
    head = struct.pack(">IIBBBBB", width, height, depth, kind, 0, 0, 0)
    body = zlib.compress(b"".join(b"\0" + row for row in content), 6)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + colors + chunk(b"IDAT", body) + chunk(b"IEND", b"")


def color_png(rows, curve=srgb, depth=8, code_points=None):
    most, form = (255, "B") if depth == 8 else (65_535, "H")
    content = [struct.pack(f">{3 * len(row)}{form}", *(round(most * curve(c)) for color in row for c in color))
               for row in rows]
    return png(len(rows[0]), len(rows), 2, depth, content, code_points)


def gray_png(rows):
    return png(len(rows[0]), len(rows), 0, 8, [bytes(row) for row in rows])


def patches(width, height):
    """Returns six patches of Display P3, in linear light: each pure and mixed with white."""
    pure = [(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 0.35, 0), (0, 0.8, 0.8), (0.9, 0, 0.6)]
    def color(x, y):
        patch = pure[min(6 * x // width, 5)]
        white = 0 if y < height // 2 else (y - height // 2) / (height / 2)
        return [c * (1 - white) + white * 0.8 for c in patch]
    return [[color(x, y) for x in range(width)] for y in range(height)]


def with_map(jpeg, image, stops):
    """Returns the JPEG of a base with that of its map behind it, with the numbers of Ultra HDR in XMP."""
    def described(data, attributes, content=""):
        names = ("xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' "
                 "xmlns:hdrgm='http://ns.adobe.com/hdr-gain-map/1.0/' "
                 "xmlns:C='http://ns.google.com/photos/1.0/container/' "
                 "xmlns:I='http://ns.google.com/photos/1.0/container/item/'")
        text = (f"<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF {names}><rdf:Description hdrgm:Version='1.0' "
                f"{attributes}>{content}</rdf:Description></rdf:RDF></x:xmpmeta>")
        packet = b"http://ns.adobe.com/xap/1.0/\0" + text.encode()
        return data[:2] + b"\xff\xe1" + struct.pack(">H", len(packet) + 2) + packet + data[2:]
    image = described(image, f"hdrgm:GainMapMax='{stops}' hdrgm:HDRCapacityMax='{stops}'")
    entries = "".join(f"<rdf:li rdf:parseType='Resource'><C:Item I:Mime='image/jpeg' {more}/></rdf:li>" for more in
                      ("I:Semantic='Primary'", f"I:Semantic='GainMap' I:Length='{len(image)}'"))
    return described(jpeg, "", f"<C:Directory><rdf:Seq>{entries}</rdf:Seq></C:Directory>") + image
