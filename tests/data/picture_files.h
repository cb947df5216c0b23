// Pictures for the tests, written by the libraries' own encoders.
#pragma once

#include <png.h>
#include <turbojpeg.h>

#include <functional>
#include <stdexcept>

#include "tests/data/idx_files.h"

namespace paceline::tests {

// Interleaved bytes of `format` (TJPF_GRAY, TJPF_RGB, TJPF_CMYK). TJPF_CMYK is written as it is, with the Adobe marker.
inline Bytes jpegBytes(const Bytes& pixels, int width, int height, int format, int quality = 95) {
  tjhandle encoder = tjInitCompress();
  unsigned char* bytes = nullptr;
  unsigned long size = 0;
  const int code = tjCompress2(encoder, pixels.data(), width, 0, height, format, &bytes, &size, format == TJPF_GRAY ? TJSAMP_GRAY : TJSAMP_444, quality, 0);
  Bytes file(bytes, bytes + (code == 0 ? size : 0));
  tjFree(bytes);
  tjDestroy(encoder);
  if (code != 0) throw std::runtime_error("tjCompress2");
  return file;
}

// `format`: PNG_FORMAT_RGB, _RGBA, _GRAY: 8 bits; PNG_FORMAT_LINEAR_Y: 16 bits, two bytes a value.
inline void writePng(const std::string& path, const Bytes& pixels, int width, int height, png_uint_32 format) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(width);
  image.height = static_cast<png_uint_32>(height);
  image.format = format;
  if (png_image_write_to_file(&image, path.c_str(), 0, pixels.data(), 0, nullptr) == 0) throw std::runtime_error(image.message);
}

// Pixels of one colour, as many bytes a pixel as `colour` has.
inline Bytes plainPixels(int width, int height, const Bytes& colour) {
  Bytes pixels;
  for (int i = 0; i < width * height; ++i) pixels.insert(pixels.end(), colour.begin(), colour.end());
  return pixels;
}

}  // namespace paceline::tests
