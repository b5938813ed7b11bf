#pragma once
// Tensile strength of real materials, for methods that know no force at which a node separates.

#include <string_view>

namespace sunder {

// Pa, the handbook's tensile strength of a preset, which its toughness is made of; 0 for those that cannot break, and
// for the paper's: Table 1 gives forces, and for which elements it does not say.
double preset_strength(std::string_view name);

}  // namespace sunder
