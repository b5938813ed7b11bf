#pragma once
// Values of options on the command line. What is wrong with one is said in words, with the whole rule.

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "apps/cli/commands.h"
#include "core/vec.h"
#include "shapes/shape.h"

namespace sunder::cli {

// For Option::transform: a finite number; one without fraction, read as decimal; anything but nothing; one of some
// words, whatever their case, which comes out as it stands here.
CLI::Validator number_in(double least, double most);
CLI::Validator whole_number_in(std::int64_t least, std::int64_t most);
CLI::Validator not_empty(const std::string& example);
CLI::Validator word_of(const std::vector<std::string>& words);

CLI::Validator thread_count();
CLI::Validator seed_number();  // as scenes have them

template <class Value>
using Choices = std::vector<std::pair<std::string, Value>>;

// An option whose values are words.
template <class Value>
CLI::Option* add_choice(CLI::App& sub, const std::string& option, Value& value, const Choices<Value>& choices,
                        const std::string& about) {
  std::vector<std::string> words;
  for (const auto& choice : choices) words.push_back(choice.first);
  const auto choose = [&value, choices](const std::string& word) {
    for (const auto& [name, meaning] : choices) {
      if (name == word) value = meaning;
    }
  };
  return sub.add_option_function<std::string>(option, choose, about)
      ->transform(word_of(words))
      ->type_name(CLI::detail::join(words, "|"));
}

// --unit: a name of one, or so many metres.
CLI::Option* add_unit(CLI::App& sub, double& metres);

// "x,y,z,radius,edge" in metres.
FineRegion fine_region(const std::string& text);

// "x,y,z,radius" in metres.
Blow blow_at(const std::string& text);

// "20" is a turn about `of_one`; "x,y,z" is what it says.
Vec3 three_numbers(const std::string& option, const std::string& text, const Vec3& of_one);

}  // namespace sunder::cli
