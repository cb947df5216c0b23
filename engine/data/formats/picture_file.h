// Decodes one JPEG or PNG, told apart by content, to 3 channels of 8 bits. Pure function, any thread.
#pragma once

#include <string>

#include "engine/data/datasets/dataset.h"

namespace paceline::formats {

// Grey becomes three equal channels, CMYK is converted as Pillow does, an alpha channel is dropped (as torchvision's loader does), 16 bits
// become 8. Throws Error{kFile, kFormat} that names the file and what is wrong with it; a JPEG that ends early is wrong.
void decodePicture(const std::string& path, datasets::Picture& into);

}  // namespace paceline::formats
