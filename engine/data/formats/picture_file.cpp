#include "engine/data/formats/readers.h"

#include <png.h>
#include <turbojpeg.h>

#include <array>
#include <cstdio>
#include <memory>
#include <span>
#include <string_view>

#include "engine/core/base/error.h"

namespace paceline::formats {
namespace {

constexpr std::uint64_t kFileLimit = std::uint64_t{1} << 28;   // bytes
constexpr std::uint64_t kPixelLimit = std::uint64_t{1} << 26;  // of one picture; ImageNet's largest has 18 million

[[noreturn]] void refuse(const std::string& path, const std::string& why) { throw Error(Errc::kFormat, strCat(path, ": ", why)); }

void requireSize(const std::string& path, std::uint64_t width, std::uint64_t height) {
  if (width == 0 || height == 0 || width * height > kPixelLimit) refuse(path, strCat("has ", width, "x", height, " pixels, must have 1 to ", kPixelLimit));
}

// From pixels of `stride` interleaved bytes to three planes.
void planes(const Bytes& pixels, std::size_t stride, int width, int height, datasets::Picture& into) {
  const std::size_t area = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  into.shape = {.channels = 3, .height = height, .width = width};
  into.pixels.resize(3 * area);
  std::uint8_t *red = into.pixels.data(), *green = red + area, *blue = green + area;
  for (std::size_t p = 0; p < area; ++p) {
    red[p] = pixels[p * stride];
    green[p] = pixels[p * stride + 1];
    blue[p] = pixels[p * stride + 2];
  }
}

// Adobe's programs write CMYK inverted and say so with a marker (APP14 "Adobe").
bool hasAdobeMarker(std::span<const std::uint8_t> file) {
  for (std::size_t at = 2; at + 9 <= file.size() && file[at] == 0xff;) {
    const std::uint8_t marker = file[at + 1];
    if (marker == 0xda || marker == 0xd9) return false;  // the scan begins
    if (marker == 0xff) {
      ++at;
      continue;
    }
    if (marker == 0xee && std::string_view(reinterpret_cast<const char*>(file.data()) + at + 4, 5) == "Adobe") return true;
    at += 2 + (std::size_t{file[at + 2]} << 8 | file[at + 3]);
  }
  return false;
}

void toRgb(Bytes& pixels, bool inverted) {  // CMYK, in place: the first three of four bytes
  const auto ink = [&](std::uint8_t byte) { return inverted ? int{byte} : 255 - byte; };
  for (std::size_t p = 0; p < pixels.size(); p += 4) {
    const int black = ink(pixels[p + 3]);
    for (std::size_t c = 0; c < 3; ++c) pixels[p + c] = static_cast<std::uint8_t>((ink(pixels[p + c]) * black + 127) / 255);
  }
}

void decodeJpeg(const std::string& path, const Bytes& file, datasets::Picture& into) {
  const std::unique_ptr<void, int (*)(void*)> decoder(tjInitDecompress(), &tjDestroy);
  PACELINE_CHECK(decoder != nullptr, "tjInitDecompress");
  int width = 0, height = 0, sampling = 0, colours = 0;
  if (tjDecompressHeader3(decoder.get(), file.data(), file.size(), &width, &height, &sampling, &colours) != 0)
    refuse(path, strCat("is a damaged JPEG: ", tjGetErrorStr2(decoder.get())));
  requireSize(path, static_cast<std::uint64_t>(width), static_cast<std::uint64_t>(height));
  const bool inks = colours == TJCS_CMYK || colours == TJCS_YCCK;
  const std::size_t stride = inks ? 4 : 3;
  Bytes pixels(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * stride);
  if (tjDecompress2(decoder.get(), file.data(), file.size(), pixels.data(), width, 0, height, inks ? TJPF_CMYK : TJPF_RGB, TJFLAG_LIMITSCANS) != 0) {
    const std::string why = tjGetErrorStr2(decoder.get());
    // Odd bytes that cost no pixel are only warned of; a picture that ends early is grey from there on.
    if (tjGetErrorCode(decoder.get()) != TJERR_WARNING || why.find("remature end") != std::string::npos) refuse(path, strCat("is a damaged JPEG: ", why));
  }
  if (inks) toRgb(pixels, hasAdobeMarker(file));
  planes(pixels, stride, width, height, into);
}

void decodePng(const std::string& path, const Bytes& file, datasets::Picture& into) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  const std::unique_ptr<png_image, void (*)(png_image*)> freed(&image, &png_image_free);
  if (png_image_begin_read_from_memory(&image, file.data(), file.size()) == 0) refuse(path, strCat("is a damaged PNG: ", image.message));
  requireSize(path, image.width, image.height);
  image.format = PNG_FORMAT_RGBA;
  image.flags |= PNG_IMAGE_FLAG_16BIT_sRGB;  // 16 bits are not linear light unless the file says so
  Bytes pixels(PNG_IMAGE_SIZE(image));
  if (png_image_finish_read(&image, nullptr, pixels.data(), 0, nullptr) == 0) refuse(path, strCat("is a damaged PNG: ", image.message));
  planes(pixels, 4, static_cast<int>(image.width), static_cast<int>(image.height), into);
}

std::string firstBytes(const Bytes& file) {
  if (file.empty()) return "it is empty";
  std::string text = "it begins with";
  for (std::size_t i = 0; i < std::min<std::size_t>(file.size(), 4); ++i) {
    std::array<char, 4> hex{};
    std::snprintf(hex.data(), hex.size(), " %02x", file[i]);
    text += hex.data();
  }
  return text;
}

}  // namespace

void decodePicture(const std::string& path, datasets::Picture& into) {
  const Bytes file = readBytes(path, kFileLimit);
  const std::string_view head(reinterpret_cast<const char*>(file.data()), std::min<std::size_t>(file.size(), 8));
  if (head.starts_with("\xff\xd8\xff")) return decodeJpeg(path, file, into);
  if (head == "\x89PNG\r\n\x1a\n") return decodePng(path, file, into);
  refuse(path, strCat("is neither JPEG nor PNG: ", firstBytes(file)));
}

}  // namespace paceline::formats
