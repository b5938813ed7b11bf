#include "shapes/glyphs.h"

#include <algorithm>
#include <array>

#include "core/check.h"
#include "shapes/outline.h"

namespace sunder {
namespace {

// M starts a loop, L is a line, C a cubic Bezier curve (two handles and its end); whole hundredths of the height.
// Holes follow the outline they belong to. Stems are 21 or 22 wide, bars 18 to 20.
struct Drawing {
  char character;
  std::string_view path;
};

constexpr std::array<Drawing, 42> kDrawings = {{
    {' ', ""},
    {'A', "M0 0 L22 0 L28 20 L52 20 L58 0 L80 0 L52 100 L28 100 M33 38 L47 38 L40 64"},
    {'B',
     "M0 0 L42 0 C62 0 74 10 74 28 C74 40 68 48 58 52 C66 56 70 63 70 73 C70 91 59 100 40 100 L0 100 "
     "M22 18 L40 18 C48 18 52 22 52 30 C52 38 48 42 40 42 L22 42 M22 60 L38 60 C45 60 48 64 48 71 C48 78 45 82 38 82 "
     "L22 82"},
    {'C',
     "M80 71 C75 88 60 100 42 100 C19 100 0 78 0 50 C0 22 19 0 42 0 C60 0 75 12 80 29 L59 33 C56 24 50 20 42 20 "
     "C30 20 21 32 21 50 C21 68 30 80 42 80 C50 80 56 76 59 67"},
    {'D',
     "M0 0 L36 0 C64 0 80 20 80 50 C80 80 64 100 36 100 L0 100 M22 20 L35 20 C50 20 58 30 58 50 C58 70 50 80 35 80 "
     "L22 80"},
    {'E', "M0 0 L64 0 L64 20 L22 20 L22 41 L58 41 L58 60 L22 60 L22 80 L62 80 L62 100 L0 100"},
    {'F', "M0 0 L22 0 L22 39 L56 39 L56 58 L22 58 L22 80 L62 80 L62 100 L0 100"},
    {'G',
     "M79 72 C74 89 60 100 43 100 C19 100 0 78 0 50 C0 22 19 0 43 0 C58 0 72 6 82 16 L82 55 L42 55 L42 37 L61 37 "
     "L61 25 C56 22 50 20 44 20 C31 20 21 32 21 50 C21 68 30 80 43 80 C51 80 56 76 59 68"},
    {'H', "M0 0 L22 0 L22 40 L56 40 L56 0 L78 0 L78 100 L56 100 L56 60 L22 60 L22 100 L0 100"},
    {'I', "M0 0 L22 0 L22 100 L0 100"},
    {'J', "M38 100 L38 32 C38 24 35 20 30 20 C24 20 21 24 21 33 L0 33 C0 12 11 0 30 0 C49 0 60 12 60 33 L60 100"},
    {'K', "M0 0 L22 0 L22 32 L31 42 L54 0 L80 0 L46 59 L78 100 L51 100 L22 62 L22 100 L0 100"},
    {'L', "M0 0 L62 0 L62 20 L22 20 L22 100 L0 100"},
    {'M', "M0 0 L21 0 L21 62 L38 14 L56 14 L73 62 L73 0 L94 0 L94 100 L68 100 L47 44 L26 100 L0 100"},
    {'N', "M0 0 L21 0 L21 63 L57 0 L78 0 L78 100 L57 100 L57 37 L21 100 L0 100"},
    {'O',
     "M88 50 C88 78 68 100 44 100 C20 100 0 78 0 50 C0 22 20 0 44 0 C68 0 88 22 88 50 "
     "M66 50 C66 67 56 80 44 80 C32 80 22 67 22 50 C22 33 32 20 44 20 C56 20 66 33 66 50"},
    {'P',
     "M0 0 L22 0 L22 34 L40 34 C60 34 71 46 71 67 C71 88 60 100 40 100 L0 100 M22 53 L38 53 C46 53 49 58 49 67 "
     "C49 76 46 81 38 81 L22 81"},
    {'Q',
     "M88 50 C88 78 68 100 44 100 C20 100 0 78 0 50 C0 22 20 0 44 0 C52 0 59 2 66 7 L80 -10 L95 3 L80 21 "
     "C85 29 88 39 88 50 M66 50 C66 67 56 80 44 80 C32 80 22 67 22 50 C22 33 32 20 44 20 C56 20 66 33 66 50"},
    {'R',
     "M0 0 L22 0 L22 36 L33 36 L51 0 L77 0 L55 41 C66 46 72 54 72 68 C72 89 60 100 40 100 L0 100 "
     "M22 54 L38 54 C46 54 50 59 50 68 C50 77 46 82 38 82 L22 82"},
    {'S',
     "M67 72 C65 90 53 100 35 100 C15 100 2 89 2 71 C2 55 12 48 31 42 C43 38 47 35 47 29 C47 23 42 19 35 19 "
     "C27 19 22 24 21 32 L0 32 C1 12 14 0 35 0 C56 0 69 11 69 30 C69 46 59 54 40 60 C28 64 24 67 24 72 "
     "C24 78 28 81 35 81 C41 81 45 78 46 72"},
    {'T', "M26 0 L48 0 L48 80 L74 80 L74 100 L0 100 L0 80 L26 80"},
    {'U',
     "M0 100 L0 38 C0 13 14 0 38 0 C62 0 76 13 76 38 L76 100 L54 100 L54 38 C54 26 49 20 38 20 C27 20 22 26 22 38 "
     "L22 100"},
    {'V', "M28 0 L52 0 L80 100 L57 100 L40 32 L23 100 L0 100"},
    {'W', "M0 100 L20 0 L43 0 L56 62 L69 0 L92 0 L112 100 L90 100 L80 38 L67 100 L45 100 L32 38 L22 100"},
    {'X', "M0 0 L25 0 L40 30 L55 0 L80 0 L54 51 L79 100 L54 100 L40 71 L26 100 L1 100 L26 51"},
    {'Y', "M28 0 L50 0 L50 40 L78 100 L54 100 L39 62 L24 100 L0 100 L28 40"},
    {'Z', "M0 0 L70 0 L70 20 L28 20 L70 82 L70 100 L3 100 L3 80 L42 80 L0 18"},
    {'0',
     "M70 50 C70 80 57 100 35 100 C13 100 0 80 0 50 C0 20 13 0 35 0 C57 0 70 20 70 50 "
     "M49 50 C49 69 44 81 35 81 C26 81 21 69 21 50 C21 31 26 19 35 19 C44 19 49 31 49 50"},
    {'1', "M18 0 L40 0 L40 100 L24 100 L0 84 L0 64 L18 75"},
    {'2',
     "M2 0 L66 0 L66 20 L33 20 C38 27 66 42 66 68 C66 88 54 100 34 100 C14 100 2 88 1 68 L22 68 C23 77 27 81 34 81 "
     "C41 81 45 77 45 69 C45 53 8 42 2 14"},
    {'3',
     "M1 30 C2 11 14 0 34 0 C55 0 68 10 68 28 C68 40 62 48 52 52 C61 56 65 63 65 73 C65 90 53 100 34 100 "
     "C15 100 3 90 2 72 L23 72 C24 79 28 82 34 82 C40 82 43 79 43 73 C43 65 38 61 27 61 L27 43 C40 43 46 39 46 30 "
     "C46 22 42 18 34 18 C27 18 23 22 22 30"},
    {'4', "M40 0 L61 0 L61 20 L72 20 L72 38 L61 38 L61 100 L36 100 L0 38 L0 20 L40 20 M40 38 L40 72 L20 38"},
    {'5',
     "M8 100 L4 45 L23 42 C26 47 30 49 35 49 C43 49 47 43 47 34 C47 24 42 18 34 18 C27 18 23 22 22 29 L1 29 "
     "C2 11 14 0 34 0 C56 0 69 13 69 34 C69 54 58 67 40 67 C34 67 29 65 25 62 L27 81 L64 81 L64 100"},
    {'6',
     "M66 76 C63 91 53 100 37 100 C14 100 1 81 1 47 C1 16 13 0 36 0 C56 0 69 13 69 33 C69 52 57 65 40 65 "
     "C33 65 27 62 22 57 C23 73 28 81 37 81 C42 81 45 79 46 75 M49 32 C49 41 44 47 36 47 C28 47 23 41 23 32 "
     "C23 23 28 18 36 18 C44 18 49 23 49 32"},
    {'7', "M0 100 L0 80 L43 80 L10 0 L34 0 L67 82 L67 100"},
    {'8',
     "M35 0 C57 0 70 10 70 28 C70 40 64 48 54 52 C62 56 66 63 66 73 C66 90 54 100 35 100 C16 100 4 90 4 73 "
     "C4 63 8 56 16 52 C6 48 0 40 0 28 C0 10 13 0 35 0 M49 29 C49 37 44 42 35 42 C26 42 21 37 21 29 "
     "C21 21 26 17 35 17 C44 17 49 21 49 29 M47 72 C47 79 42 83 35 83 C28 83 23 79 23 72 C23 65 28 61 35 61 "
     "C42 61 47 65 47 72"},
    {'9',
     "M4 24 C7 9 17 0 33 0 C56 0 69 19 69 53 C69 84 57 100 34 100 C14 100 1 87 1 67 C1 48 13 35 30 35 "
     "C37 35 43 38 48 43 C47 27 42 19 33 19 C28 19 25 21 24 25 M21 68 C21 59 26 53 34 53 C42 53 47 59 47 68 "
     "C47 77 42 82 34 82 C26 82 21 77 21 68"},
    {'.', "M0 0 L22 0 L22 22 L0 22"},
    {'!', "M1 0 L22 0 L22 21 L1 21 M3 32 L20 32 L23 100 L0 100"},
    {'?',
     "M22 0 L43 0 L43 21 L22 21 M22 31 L43 31 L43 38 C43 46 66 52 66 74 C66 91 53 100 34 100 C14 100 1 89 0 70 "
     "L21 70 C22 78 27 82 34 82 C41 82 45 78 45 72 C45 60 22 56 22 38"},
    {'-', "M0 38 L36 38 L36 58 L0 58"},
    {'&',
     "M60 0 L88 0 L68 23 C76 32 80 43 81 56 L61 56 C60 48 58 42 55 38 L40 56 C54 63 59 70 59 79 C59 92 49 100 34 100 "
     "C18 100 8 91 8 78 C8 70 12 63 18 56 C6 49 0 40 0 28 C0 10 13 0 33 0 C42 0 49 3 54 7 "
     "M30 42 C24 38 21 34 21 28 C21 21 26 17 33 17 C37 17 41 18 44 21 M33 68 C38 71 41 75 41 79 C41 83 38 85 34 85 "
     "C29 85 26 82 26 78 C26 75 29 71 33 68"},
}};

// Reads a drawing into loops without repeated points.
class Pen {
 public:
  explicit Pen(std::string_view path) : rest_(path) {}

  std::vector<PolygonDomain::Loop> loops() {
    constexpr int pieces = 12;  // of a curve
    std::vector<PolygonDomain::Loop> loops;
    const auto add = [&](const Vec2& x, bool corner) {
      loops.back().points.push_back(x);
      loops.back().corner.push_back(corner);
    };
    while (!rest_.empty()) {
      const char command = rest_.front();
      rest_.remove_prefix(1);
      if (command == 'M') {
        loops.emplace_back();
        add(point(), true);
      } else if (command == 'L') {
        add(point(), true);
      } else if (command == 'C') {
        const Vec2 a = loops.back().points.back(), b = point(), c = point(), d = point();
        for (int i = 1; i <= pieces; ++i) {
          const double t = static_cast<double>(i) / pieces, u = 1 - t;
          add(u * u * u * a + 3 * u * u * t * b + 3 * u * t * t * c + t * t * t * d, i == pieces);
        }
      }  // blanks in between
    }
    for (PolygonDomain::Loop& loop : loops) {
      if ((loop.points.front() - loop.points.back()).norm() < 1e-9) {  // curves that return to their start
        loop.points.pop_back();
        loop.corner.pop_back();
      }
      smooth_joins(loop);
    }
    return loops;
  }

 private:
  // Where curves or lines meet without a bend there is no corner; one is kept in every loop for the mesher to start at.
  static void smooth_joins(PolygonDomain::Loop& loop) {
    const std::size_t n = loop.points.size();
    for (std::size_t i = 0; i < n; ++i) {
      const Vec2 in = (loop.points[i] - loop.points[(i + n - 1) % n]).normalized();
      const Vec2 out = (loop.points[(i + 1) % n] - loop.points[i]).normalized();
      if (in.dot(out) > 0.9) loop.corner[i] = false;
    }
    if (std::find(loop.corner.begin(), loop.corner.end(), true) == loop.corner.end()) loop.corner[0] = true;
  }

  double number() {
    while (rest_.front() == ' ') rest_.remove_prefix(1);
    const bool negative = rest_.front() == '-';
    if (negative) rest_.remove_prefix(1);
    int value = 0;
    while (!rest_.empty() && rest_.front() >= '0' && rest_.front() <= '9') {
      value = 10 * value + (rest_.front() - '0');
      rest_.remove_prefix(1);
    }
    return (negative ? -value : value) / 100.0;
  }
  Vec2 point() {
    const double x = number(), y = number();
    return {x, y};
  }

  std::string_view rest_;
};

}  // namespace

std::optional<Glyph> glyph(char character) {
  constexpr double space = 0.32;
  if (character >= 'a' && character <= 'z') character = static_cast<char>(character - 'a' + 'A');
  const auto found = std::find_if(kDrawings.begin(), kDrawings.end(),
                                  [&](const Drawing& drawing) { return drawing.character == character; });
  if (found == kDrawings.end()) return std::nullopt;
  Glyph result;
  result.width = space;
  if (found->path.empty()) return result;
  result.width = 0;
  for (auto& loop : Pen(found->path).loops()) {
    for (const Vec2& p : loop.points) result.width = std::max(result.width, p.x());
    const auto around = std::find_if(result.solids.begin(), result.solids.end(),
                                     [&](const auto& solid) { return is_inside(loop.points[0], solid[0].points); });
    if (around == result.solids.end()) {
      result.solids.push_back({std::move(loop)});
    } else {
      around->push_back(std::move(loop));
    }
  }
  return result;
}

std::string_view drawn_characters() { return "A-Z 0-9 space . ! ? - &"; }

}  // namespace sunder
