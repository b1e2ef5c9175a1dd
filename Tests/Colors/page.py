#!/usr/bin/env python3
"""Makes a page on which gain maps, wide colors and high dynamic range are looked at: of a drawn image, or of one's own.

    Tests/Colors/page.py --program .build/release/calotype page.html
    Tests/Colors/page.py --program .build/release/calotype page.html --photo photo.jpg --size 800
    chromium --headless --screenshot=page.png --window-size=1560,2000 --virtual-time-budget=60000 page.html

The page has no other files. A display with headroom shows the photographs themselves; for all others, JavaScript applies the map
and shows the light a stop or two darker. The PQ image is left to the browser beside the command's result.
"""

import argparse
import base64
import json
import pathlib
import subprocess
import tempfile

import drawn


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("page", type=pathlib.Path)
    options.add_argument("--program", type=pathlib.Path, required=True, help="the command calotype")
    options.add_argument("--photo", type=pathlib.Path, help="a JPEG, HEIC or AVIF with a gain map")
    options.add_argument("--size", type=int, default=480, help="the width of results in pixels")
    chosen = options.parse_args()
    program = chosen.program.resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)

        def run(*words):
            return subprocess.run([program, *map(str, words)], check=True, capture_output=True, text=True).stdout

        photo = chosen.photo or draw_photo(folder, run)
        pieces = {"original": photo.read_bytes(), "about": run("info", photo).split(": ", 1)[1].strip()}
        kept, flat = folder / "kept.jpg", folder / "flat.jpg"
        run("resize", photo, kept, "--size", chosen.size, "--gain-maps", "keep", "--gamut", "keep")
        run("resize", photo, flat, "--size", chosen.size, "--gain-maps", "drop")
        pieces |= {"kept": kept.read_bytes(), "flat": flat.read_bytes()}
        pieces["bytes"] = round(kept.stat().st_size / flat.stat().st_size, 3)
        pieces["error"] = json.loads(run("compare", kept, flat, "--hdr", "--json"))["hdr"]
        pieces |= wide(folder, run) | bright(folder, run)
    chosen.page.write_text(filled(pieces))
    print(f"{chosen.page}: the map takes {100 * (pieces['bytes'] - 1):.0f} % more bytes; without it PQ differs by "
          f"{pieces['error']['mean']:.1f} of 255")


def draw_photo(folder, run):
    """Writes a JPEG of lamps, with a map of a quarter of its sides."""
    rows = drawn.lamp(960, 640)
    flat, stops = drawn.base(rows), 3
    (folder / "base.png").write_bytes(drawn.color_png(flat))
    (folder / "map.png").write_bytes(drawn.gray_png(drawn.gains(rows, flat, 4, stops)))
    for name in ("base", "map"):
        run("resize", folder / f"{name}.png", folder / f"{name}.jpg", "--quality", "92")
    photo = folder / "photo.jpg"
    photo.write_bytes(drawn.with_map((folder / "base.jpg").read_bytes(), (folder / "map.jpg").read_bytes(), stops))
    return photo


def wide(folder, run):
    """Returns patches of Display P3, kept and converted to sRGB."""
    source = folder / "p3.png"
    source.write_bytes(drawn.color_png(drawn.patches(480, 160), code_points=(12, 13)))
    results = {}
    for gamut in ("keep", "srgb"):
        run("resize", source, folder / f"{gamut}.jpg", "--gamut", gamut, "--quality", "92")
        results[f"gamut-{gamut}"] = (folder / f"{gamut}.jpg").read_bytes()
    return results


def bright(folder, run):
    """Returns the lamps in PQ, and in the standard range as the command maps them."""
    source = folder / "pq.png"
    source.write_bytes(drawn.color_png(drawn.lamp(480, 320), drawn.pq, 16, code_points=(1, 16)))
    run("resize", source, folder / "pq.jpg", "--quality", "92")
    return {"pq": source.read_bytes(), "toned": (folder / "pq.jpg").read_bytes()}


def filled(pieces):
    """Returns the page with files as numbers in Base64: a browser hides the pixels of other files from scripts."""
    texts = {name: base64.b64encode(piece).decode() if isinstance(piece, bytes) else piece
             for name, piece in pieces.items()}
    page = pathlib.Path(__file__).with_name("page.html").read_text()
    return page.replace("{/* pieces */}", json.dumps(texts))


if __name__ == "__main__":
    main()
