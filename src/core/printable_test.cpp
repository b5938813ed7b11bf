#include "core/printable.h"

#include <gtest/gtest.h>

#include "core/error.h"

namespace sunder {
namespace {

// U+`code` in UTF-8, also for codes that must not be written so.
std::string encoded(unsigned code) {
  const auto tail = [&](int shift) { return static_cast<char>(0x80 | (code >> shift & 0x3f)); };
  if (code < 0x80) return {static_cast<char>(code)};
  if (code < 0x800) return {static_cast<char>(0xc0 | code >> 6), tail(0)};
  if (code < 0x10000) return {static_cast<char>(0xe0 | code >> 12), tail(6), tail(0)};
  return {static_cast<char>(0xf0 | code >> 18), tail(12), tail(6), tail(0)};
}

TEST(Printable, Utf8IsEveryCodeButSurrogates) {
  for (unsigned code = 0; code <= 0x10ffff; ++code) {
    const bool is_surrogate = code >= 0xd800 && code <= 0xdfff;
    ASSERT_EQ(is_utf8(encoded(code)), !is_surrogate) << "U+" << std::hex << code;
  }
  EXPECT_FALSE(is_utf8(encoded(0x110000)));
}

TEST(Printable, BrokenUtf8IsNone) {
  EXPECT_TRUE(is_utf8(""));
  EXPECT_TRUE(is_utf8("caf\xc3\xa9"));
  for (const char* text : {"\x80", "\xbf", "\xff", "\xfe", "caf\xe9", "\xc3", "\xe2\x82", "\xe2\x82x", "\xf0\x9f\x98",
                           "\xc0\x80", "\xc1\xbf", "\xe0\x9f\xbf", "\xf0\x8f\xbf\xbf", "\xf5\x80\x80\x80"}) {
    EXPECT_FALSE(is_utf8(text)) << text;
  }
}

TEST(Printable, OnlyWhatHarmsIsReplaced) {
  EXPECT_EQ(printable("two\nlines, caf\xc3\xa9 \xf0\x9f\x98\x80"), "two\nlines, caf\xc3\xa9 \xf0\x9f\x98\x80");
  EXPECT_EQ(printable(std::string("a\0b\x1b[2Jc\td\x7f", 11)), "a?b?[2Jc?d?");
  EXPECT_EQ(printable("\xc2\x9b and \xc2\xa0"), "? and \xc2\xa0");
  EXPECT_EQ(printable("caf\xe9 \xe2\x82"), "caf? ??");
}

TEST(Printable, EveryErrorIs) {
  EXPECT_STREQ(InputError({"m\x1b.msh"},
                          "a\xff"
                          "b",
                          "c\rd")
                   .what(),
               "m?.msh: a?b\n  c?d");
  EXPECT_STREQ(FileError("x\xe9", "y").what(), "x?: y");
}

}  // namespace
}  // namespace sunder
