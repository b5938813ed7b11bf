#include "meshfile/zlib_blocks.h"

#include <zlib.h>

#include "core/check.h"

namespace sunder {

std::string compress_block(std::string_view data) {
  uLongf size = compressBound(static_cast<uLong>(data.size()));
  std::string compressed(size, '\0');
  const int status = compress2(reinterpret_cast<Bytef*>(compressed.data()), &size,
                               reinterpret_cast<const Bytef*>(data.data()), static_cast<uLong>(data.size()), 1);
  SUNDER_CHECK(status == Z_OK, "zlib could not compress a block, though given enough room");
  compressed.resize(size);
  return compressed;
}

bool expand_block(std::string_view compressed, std::span<char> out) {
  uLongf size = static_cast<uLongf>(out.size());
  const int status =
      uncompress(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(compressed.data()),
                 static_cast<uLong>(compressed.size()));
  return status == Z_OK && size == out.size();
}

}  // namespace sunder
