#!/usr/bin/env python3
"""Writes the binary inputs of the corpus (README.md of the tests): python3 tests/fuzz/make_corpus.py"""
import gzip, hashlib, io, json, os, struct, tarfile, zlib

here = os.path.join(os.path.dirname(os.path.abspath(__file__)), "corpus")


def put(target, name, data):
    os.makedirs(os.path.join(here, target), exist_ok=True)
    with open(os.path.join(here, target, name), "wb") as file:
        file.write(data)


def header(kind, packing=0, shard=0, scalars=(), round_=3, version=2, elements=0, packed=0, cause=-1, number=5, taken=4):
    return struct.pack("<IBBBBiIqqIidfIII", 0x454E4C50, 4, 1, kind, packing, shard, len(scalars), round_, version, elements, cause, 0, 0, number, packed, taken) + struct.pack(
        f"<{len(scalars)}d", *scalars)


def messages():
    # The last byte says how many scalars belong to the header frame (comm_targets.cpp).
    put("message", "dense", header(2, elements=4) + struct.pack("<4f", 1, -2, 0.5, 0) + b"\0")
    put("message", "scalars", header(6, scalars=(1, 2)) + b"\x02")
    put("message", "half", header(2, packing=1, elements=4, packed=8) + struct.pack("<4e", 1, -2, 0.5, 65504))


def pictures():
    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    def png(colour, depth, channels):
        rows = b"".join(b"\0" + bytes((row * 7 + i) % 256 for i in range(4 * channels * depth // 8)) for row in range(3))
        return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 4, 3, depth, colour, 0, 0, 0)) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")

    put("picture", "rgb.png", png(2, 8, 3))
    put("picture", "grey16.png", png(0, 16, 1))
    put("picture", "rgba.png", png(6, 8, 4))


def arrays():
    put("idx", "labels", struct.pack(">BBBBI", 0, 0, 8, 1, 5) + bytes(range(5)) + b"")
    images = struct.pack(">BBBBIII", 0, 0, 8, 3, 2, 3, 3) + bytes(18)
    put("idx", "images.gz", gzip.compress(images, mtime=0))
    put("idx", "images", images)

    def element(kind, data):
        return struct.pack("<II", kind, len(data)) + data + bytes(-len(data) % 8)

    def matrix(name, dimensions, data):
        body = element(6, struct.pack("<II", 9, 0)) + element(5, struct.pack(f"<{len(dimensions)}i", *dimensions)) + element(1, name) + element(2, data)
        return element(14, body)

    head = b"MATLAB 5.0 MAT-file".ljust(116) + bytes(8) + struct.pack("<H", 0x0100) + b"IM"
    x, y = matrix(b"X", (2, 2, 3, 2), bytes(range(24))), matrix(b"y", (2, 1), bytes([1, 10]))
    put("mat", "plain.mat", head + x + y)
    put("mat", "packed.mat", head + b"".join(struct.pack("<II", 15, len(zlib.compress(one))) + zlib.compress(one) for one in (x, y)))


def archives():
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name in ("cifar/data_batch_1.bin", "cifar/readme.txt"):
            info = tarfile.TarInfo(name)
            info.size = 20
            archive.addfile(info, io.BytesIO(bytes(20)))
    put("tar", "batch.tar", data.getvalue()[:4096])
    put("tar", "batch.tar.gz", gzip.compress(data.getvalue(), mtime=0))


def packed():
    put("half", "eight", b"\x03" + struct.pack("<8e", 0, 1, -1, 0.1, 65504, float("inf"), float("nan"), 6e-8))
    put("int8", "eight", b"\x03" + struct.pack("<f", 0.5) + bytes([0, 1, 255, 127, 129, 128, 64, 3]))


def sparse():
    # Layout 0 as sparse_codec.h has it; the first byte says that the vector has 2^5 elements.
    for layout in range(6):
        put("sparse", f"layout{layout}", b"\x05" + struct.pack("<BBhI", layout, 1, 0, 3) + bytes([0b01010101, 3, 9]) + struct.pack("<3f", 1, -2, 3))


def checkpoints():
    def text(value):
        return struct.pack("<H", len(value)) + value

    arrays = ((b"velocity", 1, struct.pack("<3f", 1, 2, 3)), (b"steps", 4, struct.pack("<q", 40)), (b"rng", 3, struct.pack("<4Q", 1, 2, 3, 4)))
    body = b"".join(text(name) + struct.pack("<BQ", kind, len(data) // (4 if kind == 1 else 8)) + data for name, kind, data in arrays)
    put("checkpoint", "three", b"PACELNCK" + struct.pack("<I", 1) + text(b"w0") + text(b"ab" * 32) + struct.pack("<qI", 40, len(arrays)) + body)


def numbers():
    for kind, name, values in ((0, "save", (5, 7)), (0, "holds", (8, 4, 2)), (1, "stop", (9, 1)), (2, "bye", (0, 100, 3)), (3, "progress", (4, 40))):
        put("fields", name, bytes([kind]) + struct.pack(f"<{len(values)}d", *values))


def uploads():
    def hashed(data):
        return hashlib.sha256(data).hexdigest()

    def version(files):
        lines = sorted(f"{name}\0{'x' if program else '-'} {len(data)} {hashed(data)}\n" for name, program, data in files)
        return hashed("".join(lines).encode())[:32]

    def place(files, part, into):
        listed = [{"path": name, "program": program, "size": len(data), "sha256": hashed(data)} for name, program, data in files]
        manifest = {"paceline": "0.1.0", "files": listed}
        return json.dumps({"request": "place", "version": into, "part": part, "manifest": manifest}, separators=(",", ":")).encode() + b"\n"

    def frame(data):  # one raw block of zstd
        packed = struct.pack("<IBB", 0xFD2FB528, 0x20, len(data)) + (1 | len(data) << 3).to_bytes(3, "little") + data
        return struct.pack("<II", len(data), len(packed)) + packed

    files = [("tool", True, b"hello"), ("lib/notes", False, b"two\nlines")]
    more = [("x.so", False, b"a library")]
    into = version(files)
    ready = json.dumps({"request": "ready", "version": into, "libraries": "", "datasets": []}, separators=(",", ":")).encode() + b"\n"
    whole = place(files, "", into) + b"".join(frame(data) for _, _, data in files)
    put("upload", "whole", whole)
    put("upload", "two_parts", whole + place(more, "lib", into) + frame(more[0][2]))
    put("upload", "two_frames", place(files[:1], "", version(files[:1])) + frame(b"he") + frame(b"llo"))
    put("upload", "nothing_there", ready)


for write in (messages, pictures, arrays, archives, packed, sparse, checkpoints, numbers, uploads):
    write()
