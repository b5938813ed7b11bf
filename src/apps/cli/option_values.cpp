#include "apps/cli/option_values.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "core/suggest.h"

namespace sunder::cli {
namespace {

// Nothing if the text is no number, or not a finite one.
std::optional<double> finite_number(const std::string& text) {
  double number = 0;
  if (!CLI::detail::lexical_cast(text, number) || !std::isfinite(number)) return std::nullopt;
  return number;
}

// 1e12, as people write it, for 1e+12.
std::string plain(double number) {
  std::string text = fmt::format("{:g}", number);
  for (const char* ballast : {"e+0", "e+", "e-0"}) {
    const std::size_t at = text.find(ballast);
    if (at != std::string::npos) text.replace(at, std::string(ballast).size(), ballast[1] == '+' ? "e" : "e-");
  }
  return text;
}

// "a number from 0.01 to 1000". A least number that is there to keep nonsense out is called what it means.
std::string range_text(double least, double most) {
  constexpr double kTiny = 1e-3;
  return least > 0 && least < kTiny ? fmt::format("a number above 0 ({} to {})", plain(least), plain(most))
                                    : fmt::format("a number from {} to {}", plain(least), plain(most));
}

// "few, some or many"
std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
  }
  return text;
}

std::string did_you_mean(const std::string& word, const std::vector<std::string>& words) {
  const std::string near = nearest_name(word, words);
  return near.empty() ? "" : fmt::format("; did you mean `{}`?", near);
}

const Choices<double>& units() {
  static const Choices<double> known = {{"mm", 1e-3}, {"cm", 1e-2}, {"m", 1}, {"inch", 0.0254}, {"foot", 0.3048}};
  return known;
}

// So many numbers with commas between, none larger than 1e12; nothing if the text is anything else.
template <std::size_t Count>
std::optional<std::array<double, Count>> numbers_of(const std::string& text) {
  const std::vector<std::string> words = CLI::detail::split(text, ',');
  if (words.size() != Count) return std::nullopt;
  std::array<double, Count> numbers{};
  for (std::size_t i = 0; i < Count; ++i) {
    const std::optional<double> number = finite_number(words[i]);
    if (!number || std::abs(*number) > 1e12) return std::nullopt;
    numbers[i] = *number;
  }
  return numbers;
}

}  // namespace

CLI::Validator number_in(double least, double most) {
  return {[=](const std::string& text) {
            const std::optional<double> number = finite_number(text);
            const bool good = number && *number >= least && *number <= most;
            return good ? "" : fmt::format("`{}` must be {}", text, range_text(least, most));
          },
          fmt::format("{}..{}", plain(least), plain(most))};
}

CLI::Validator whole_number_in(std::int64_t least, std::int64_t most) {
  return {[=](std::string& text) {
            std::int64_t number = 0;
            const char* end = text.data() + text.size();
            const auto [read, problem] = std::from_chars(text.data(), end, number);
            if (problem != std::errc() || read != end || number < least || number > most) {
              return fmt::format("`{}` must be a whole number from {} to {}", text, least, most);
            }
            text = std::to_string(number);  // or CLI11 takes 010 for 8
            return std::string();
          },
          fmt::format("{}..{}", least, most)};
}

CLI::Validator not_empty(const std::string& example) {
  return {[=](const std::string& text) { return text.empty() ? fmt::format("is empty; write {}", example) : ""; }, ""};
}

CLI::Validator word_of(const std::vector<std::string>& words) {
  return {[words](std::string& text) {
            const std::string small = CLI::detail::to_lower(text);
            for (const std::string& word : words) {
              if (word != small) continue;
              text = word;
              return std::string();
            }
            return fmt::format("`{}` must be {}{}", text, listed(words), did_you_mean(small, words));
          },
          ""};
}

CLI::Validator thread_count() { return whole_number_in(1, 1024); }

CLI::Validator seed_number() {
  return whole_number_in(0, std::numeric_limits<std::int64_t>::max()).description("");  // longer than it helps
}

CLI::Option* add_unit(CLI::App& sub, double& metres) {
  const auto read = [&metres](const std::string& text) {
    constexpr double kLeast = 1e-12, kMost = 1e12;
    std::vector<std::string> words;
    for (const auto& [name, size] : units()) {
      words.push_back(name);
      if (name == text) return void(metres = size);
    }
    const std::optional<double> number = finite_number(text);
    if (!number || *number < kLeast || *number > kMost) {
      words.emplace_back("so many metres");
      const std::string rule = fmt::format("`{}` must be {}, {}", text, listed(words), range_text(kLeast, kMost));
      words.pop_back();
      throw CLI::ValidationError("--unit", rule + (number ? "" : did_you_mean(text, words)));
    }
    metres = *number;
  };
  return sub
      .add_option_function<std::string>("--unit", read,
                                        "of a file's numbers: mm, cm, m, inch, foot, or so many metres (default m)")
      ->type_name("UNIT");
}

FineRegion fine_region(const std::string& text) {
  const auto numbers = numbers_of<5>(text);
  const auto& [x, y, z, radius, edge] = numbers.value_or(std::array<double, 5>{});
  if (!(radius > 0) || !(edge >= 1e-9)) {
    throw CLI::ValidationError(
        "--finer", "`" + text +
                       "` must be X,Y,Z,RADIUS,EDGE in metres: five numbers up to 1e12, the last two positive, and the "
                       "edge 1e-9 at least");
  }
  return {Vec3(x, y, z), radius, edge};
}

Blow blow_at(const std::string& text) {
  const auto numbers = numbers_of<4>(text);
  const auto& [x, y, z, radius] = numbers.value_or(std::array<double, 4>{});
  if (!(radius >= 1e-6)) {
    throw CLI::ValidationError("--blow", "`" + text +
                                             "` must be X,Y,Z,RADIUS in metres: four numbers up to 1e12, the last one "
                                             "1e-6 at least");
  }
  return {Vec3(x, y, z), radius};
}

Vec3 three_numbers(const std::string& option, const std::string& text, const Vec3& of_one) {
  constexpr double kMost = 1e6;
  const std::vector<std::string> words = CLI::detail::split(text, ',');
  Vec3 numbers = Vec3::Zero();
  bool good = words.size() == 3 || words.size() == 1;
  for (std::size_t i = 0; good && i < words.size(); ++i) {
    const std::optional<double> number = finite_number(words[i]);
    good = number && std::abs(*number) <= kMost;
    numbers[static_cast<int>(i)] = number.value_or(0);
  }
  if (!good) {
    throw CLI::ValidationError(option, fmt::format("`{}` must be one number or three, as in 20 or 20,0,45, each from "
                                                   "{} to {}",
                                                   text, plain(-kMost), plain(kMost)));
  }
  return words.size() == 1 ? Vec3(numbers.x() * of_one) : numbers;
}

}  // namespace sunder::cli
