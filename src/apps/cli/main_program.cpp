#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>

#include "apps/cli/commands.h"
#include "apps/cli/option_values.h"
#include "apps/cli/shell_word.h"
#include "core/check.h"
#include "core/printable.h"
#include "core/suggest.h"
#include "sim/run.h"

namespace sunder::cli {
namespace {

constexpr const char* kProgress = "auto (bar or lines), json (a JSON line a frame or picture) or none";

std::string command_line(int argc, char** argv) {
  std::string line;
  for (int i = 0; i < argc; ++i) line += (i > 0 ? " " : "") + shell_word(argv[i]);
  return line;
}

// "--with" of "--with=ball"; "" if the word is none of an option.
std::string option_of(const std::string& word) {
  const bool option = word.size() > 1 && word[0] == '-' && (word[1] == '-' || std::isalpha(word[1]) != 0);
  return option ? word.substr(0, word.find('=')) : "";
}

// What is wrong with words that the command does not know.
std::string unexpected(const CLI::App& app) {
  const CLI::App& sub = *app.get_subcommands().at(0);
  const std::vector<std::string> words = app.remaining(true);
  const auto found = std::find_if(words.begin(), words.end(), [](const auto& w) { return !option_of(w).empty(); });
  if (found == words.end()) {
    return fmt::format("`{}` is one word too many for `sunder {}`; words with spaces need quotes", words.at(0),
                       sub.get_name());
  }
  const std::string option = option_of(*found);
  const std::string text = fmt::format("`sunder {}` has no option {}", sub.get_name(), option);
  std::string siblings;
  for (const CLI::App* other : app.get_subcommands({})) {
    if (other->get_option_no_throw(option) == nullptr) continue;
    siblings += fmt::format("{}`sunder {}`", siblings.empty() ? "" : ", ", other->get_name());
  }
  if (!siblings.empty()) return fmt::format("{}; it is one of {}", text, siblings);
  std::vector<std::string> own;
  for (const CLI::Option* known : sub.get_options()) {
    for (const std::string& name : known->get_lnames()) own.push_back("--" + name);
  }
  const std::string near = nearest_name(option, own);
  return near.empty() ? text : fmt::format("{}; did you mean {}?", text, near);
}

// What is wrong if no command was found.
std::string no_command(const CLI::App& app, const std::string& otherwise) {
  const std::vector<std::string> words = app.remaining();
  if (words.empty() || words[0].starts_with('-')) return otherwise;
  std::vector<std::string> commands;
  for (const CLI::App* sub : app.get_subcommands({})) commands.push_back(sub->get_name());
  const std::string near = nearest_name(words[0], commands);
  return fmt::format("there is no command `{}`{}", words[0],
                     near.empty() ? "" : fmt::format("; did you mean `{}`?", near));
}

// Options that `drop` and `hit` share.
void add_break_options(CLI::App& sub, BreakCommandOptions& options, const Choices<UpAxis>& axes,
                       const Choices<ProgressStyle>& styles) {
  sub.add_option("MODEL", options.model,
                 "a surface (.obj, .ply, .stl, .off, .gltf, .glb), a file of tetrahedra, a kind of shape (`cup`), or a "
                 "shape in TOML")
      ->required();
  sub.add_option("-o,--output", options.folder,
                 "folder for the results (default out/" + sub.get_name() + "-<model>); the scene is written beside it");
  sub.add_option("--material", options.material, "a preset of `sunder reference`")->capture_default_str();
  const Choices<Pieces> pieces = {{"few", Pieces::few}, {"some", Pieces::some}, {"many", Pieces::many}};
  add_choice(sub, "--pieces", options.pieces, pieces,
             "how many, whatever the model, its size and the blow (default some)");
  sub.add_option_function<std::string>(
         "--tilt", [&](const std::string& text) { options.tilt = three_numbers("--tilt", text, Vec3(1, 0, 0.6)); },
         "how the model is turned: degrees about x, y, z, or one number")
      ->type_name("X,Y,Z");
  sub.add_option("--edge", options.edge, "length of edges, m (default: some thousand tetrahedra)")
      ->transform(number_in(1e-9, 1e12));
  add_unit(sub, options.unit);
  add_choice(sub, "--up", options.up, axes, "axis of a file that points up (default y)");
  sub.add_option("--seconds", options.seconds, "to simulate (default: until the pieces lie)")
      ->transform(number_in(1e-6, 1e6));
  sub.add_option("--seed", options.seed, "another seed breaks it in another, equally likely way")
      ->transform(seed_number());
  sub.add_option("--threads", options.threads, "number of threads (default all; never changes the result)")
      ->transform(thread_count());
  sub.add_flag("!--no-film", options.film, "no film.mp4 and still.png");
  add_choice(sub, "--progress", options.progress, styles, kProgress);
}

ExitCode dispatch(int argc, char** argv) {
  CLI::App app{"sunder breaks things: a fracture simulator.\nStart with `sunder gallery`, then `sunder run NAME`."};
  app.set_version_flag("--version", std::string("sunder ") + version());
  app.require_subcommand(1);
  app.get_formatter()->column_width(34);

  GalleryOptions gallery;
  auto* gallery_sub = app.add_subcommand("gallery", "every built-in scene, one line each");
  gallery_sub->add_flag("--json", gallery.json, "as JSON");

  RunCommandOptions run;
  auto* run_sub = app.add_subcommand("run", "simulate a scene");
  run_sub->add_option("SCENE", run.scene, "a .toml file or a gallery name")->required();
  run_sub->add_option("-o,--output", run.folder, "folder for the results (default out/<name>)");
  run_sub->add_option("--set", run.overrides, "override a key of the scene: --set body.0.edge=0.05")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  run_sub->add_option("--frames", run.frames, "stop after this many frames, the one at t = 0 included")
      ->transform(whole_number_in(1, 1000000));
  run_sub->add_option("--threads", run.threads, "number of threads (default all; never changes the result)")
      ->transform(thread_count());
  auto* resume = run_sub->add_flag("--resume", run.resume,
                                   "continue an interrupted, failed or killed run from its last checkpoint");
  run_sub
      ->add_option("--from", run.from,
                   "with --resume: restart from the checkpoint at this frame, with changes by --set or in the scene; "
                   "the results go to a new folder")
      ->transform(whole_number_in(1, 1000000))
      ->type_name("FRAME")
      ->needs(resume);
  run_sub->add_option("--branch", run.branch_folder, "folder for --from (default: the run's, with -from-FRAME added)")
      ->type_name("DIR");
  run_sub->add_option("--checkpoint-seconds", run.checkpoint_seconds, "wall time between checkpoints")
      ->transform(number_in(0.0, 1e9))
      ->capture_default_str();
  run_sub
      ->add_option("--checkpoint-frames", run.checkpoint_frames,
                   "frames between checkpoints that stay, for --from; 0: keep the newest two only")
      ->transform(whole_number_in(0, 1000000))
      ->capture_default_str();
  run_sub->add_flag("--allow-outside", run.allow_outside, "let the scene read mesh files outside its own folder");
  const Choices<ProgressStyle> styles = {
      {"auto", ProgressStyle::automatic}, {"json", ProgressStyle::json}, {"none", ProgressStyle::none}};
  add_choice(*run_sub, "--progress", run.progress, styles, kProgress);
  run_sub->add_flag("--render", run.render, "make film.mp4 and still.png of the finished run");

  RenderCommandOptions render;
  auto* render_sub = app.add_subcommand("render", "pictures and films of runs");
  render_sub->add_option("DIR", render.runs, "run folder; several with --sheet")->required();
  render_sub->add_option("-o,--output", render.output, "film.mp4, film.gif, still.png or frames-%04d.png");
  render_sub->add_flag("--sheet", render.sheet, "a sheet of several runs or frames side by side, with captions");
  render_sub->add_option("--frame", render.frame, "frame of a still (default the last)")
      ->transform(whole_number_in(1, 9999999));
  render_sub->add_option("--frames", render.frames, "frames of a film or sheet: 1..48, 1..48:2 or 10,20,40")
      ->transform(not_empty("1..48 or 10,20"));
  render_sub->add_option("--size", render.size, "pixels (default 1280x720, preview 640x360)")->type_name("WxH");
  render_sub->add_option("--samples", render.samples, "light paths a pixel (default 96, preview 3)")
      ->transform(whole_number_in(1, 65536));
  render_sub->add_option("--quality", render.quality, "preview or final")
      ->transform(word_of({"preview", "final"}))
      ->type_name("preview|final");
  render_sub->add_option("--look", render.look,
                         "normal, reassembled, cracks, exploded, fragments, stress, age, wire or tets");
  render_sub->add_option("--camera", render.camera, "a camera of the scene, all, auto, front, side or top");
  render_sub->add_option("--slow", render.slow, "slow motion: so many pictures a frame")
      ->transform(whole_number_in(1, 1000));
  render_sub->add_option("--explode", render.explode, "move fragments apart by this share of their distance")
      ->transform(number_in(0.0, 100.0));
  render_sub->add_flag("--raw", render.raw, "leave the noise in");
  render_sub->add_option("--threads", render.threads, "number of threads (default all; never changes the picture)")
      ->transform(thread_count());
  add_choice(*render_sub, "--progress", render.progress, styles, kProgress);

  PlotOptions plot;
  auto* plot_sub = app.add_subcommand("plot", "energies, reactions, fragments and crack area of a run over time");
  plot_sub->add_option("DIR", plot.folder, "run folder")->required();
  plot_sub->add_option("-o,--output", plot.output, "an .svg or .png file (default plots.svg and plots.png in DIR)");

  NewOptions fresh;
  auto* new_sub = app.add_subcommand("new", "write a commented starter scene NAME.toml");
  new_sub->add_option("NAME", fresh.name, "name of the scene")->required();

  InfoOptions info;
  auto* info_sub = app.add_subcommand("info", "what is in a run folder, scene or mesh");
  info_sub->add_option("WHAT", info.what, "run folder, .toml scene, gallery name, mesh file or shape")->required();
  info_sub->add_flag("--json", info.json, "as JSON");

  CheckOptions check;
  auto* check_sub = app.add_subcommand("check", "verify files and every mesh invariant; non-zero if anything is wrong");
  check_sub->add_option("WHAT", check.what, "run folder or mesh file")->required();

  MeshCommandOptions mesh;
  auto* mesh_sub = app.add_subcommand("mesh", "surface or shape to tetrahedra, with a quality report");
  mesh_sub
      ->add_option(
          "WHAT", mesh.what,
          "a surface (.obj, .ply, .stl, .off, .gltf, .glb), a kind of shape (`bowl`), a shape in TOML, or a file "
          "of tetrahedra")
      ->required();
  mesh_sub
      ->add_option("-o,--output", mesh.output,
                   "file to write: .vtu or .mesh, or for the boundary alone .obj, .ply, .stl or .off")
      ->required();
  mesh_sub->add_option("--edge", mesh.edge, "length of edges, m (default: a few thousand tetrahedra)")
      ->transform(number_in(1e-9, 1e12));
  add_unit(*mesh_sub, mesh.unit);
  const Choices<UpAxis> axes = {{"x", UpAxis::x}, {"y", UpAxis::y}, {"z", UpAxis::z}};
  add_choice(*mesh_sub, "--up", mesh.up, axes, "axis of a file that points up (default y)");
  mesh_sub->add_option("--inside", mesh.fill.inside, "of a surface: far from it edges may be so many times longer")
      ->transform(number_in(1.0, 64.0))
      ->capture_default_str();
  mesh_sub->add_option("--sharp", mesh.fill.sharp, "of a surface: edges that turn by more degrees are kept sharp")
      ->transform(number_in(1.0, 180.0))
      ->capture_default_str();
  mesh_sub->add_option("--walls", mesh.fill.walls, "of a surface: cells through thin walls, at least")
      ->transform(number_in(1.3, 8.0))
      ->capture_default_str();
  mesh_sub
      ->add_option("--stretch", mesh.fill.stretch,
                   "of a surface: edges along thin walls, in thicknesses; 0 leaves them as the cells are")
      ->transform(number_in(0.0, 8.0))
      ->capture_default_str();
  mesh_sub
      ->add_option_function<std::vector<std::string>>(
          "--finer",
          [&](const std::vector<std::string>& texts) {
            for (const std::string& text : texts) mesh.fill.finer.push_back(fine_region(text));
          },
          "of a surface: edges of length EDGE within RADIUS of a place, m, y up; may be repeated")
      ->type_name("X,Y,Z,RADIUS,EDGE")
      ->allow_extra_args(false);
  mesh_sub->add_option("--layers", mesh.layers, "layers through the thickness (default: as many as suit the edge)")
      ->transform(whole_number_in(1, 1000));
  mesh_sub->add_option("--seed", mesh.seed, "of the points' places")->transform(seed_number());
  const Choices<bool> cells = {{"tet", false}, {"hex", true}};
  add_choice(*mesh_sub, "--cells", mesh.hexahedra, cells, "tet, or hex for shapes in layers");
  mesh_sub->add_flag("--json", mesh.json, "the report as JSON");
  mesh_sub->add_flag("-q,--quiet", mesh.quiet, "no progress bar");

  CrackCommandOptions crack;
  auto* crack_sub = app.add_subcommand("crack", "crack the surface of my own model, no scene file needed");
  crack_sub
      ->add_option("MODEL", crack.model,
                   "a surface (.obj, .ply, .stl, .off, .gltf, .glb), a kind of shape (`cup`), or a shape in TOML")
      ->required();
  crack_sub->add_option("-o,--output", crack.folder, "folder for the results (default out/crack-<model>)");
  crack_sub->add_option("--material", crack.material, "mud, glaze or glass")
      ->transform(word_of({"mud", "glaze", "glass"}))
      ->capture_default_str();
  add_unit(*crack_sub, crack.unit);
  crack_sub->add_option("--edge", crack.edge, "length of the triangles' edges, m; a file is meshed anew with it")
      ->transform(number_in(1e-9, 1e12));
  auto* remesh = crack_sub->add_flag(
      "--remesh", crack.remesh, "mesh the surface anew with even triangles (default: if the model's own would show)");
  crack_sub->add_flag("--keep-triangles", crack.keep_triangles, "crack the model's own triangles, whatever they are")
      ->excludes(remesh);
  crack_sub->add_option("--length", crack.length, "cells come out one to two times as wide, m (default: five edges)")
      ->transform(number_in(1e-9, 1e12));
  crack_sub->add_option("--load", crack.load, "stress at the end, in units of toughness (default: the material's)")
      ->transform(number_in(0.01, 1e3));
  crack_sub->add_option("--depth", crack.depth, "of the walls of cracks, m (default: none)")
      ->transform(number_in(0.0, 1e6));
  crack_sub->add_option("--part", crack.part, "only this part of the surface");
  crack_sub->add_option("--painted", crack.painted,
                        "adds a tension that grows: the name of a value of the model's points or faces");
  crack_sub->add_option("--painted-once", crack.painted_once, "the same, acting in full before the rest grows");
  crack_sub
      ->add_option_function<std::vector<std::string>>(
          "--blow",
          [&](const std::vector<std::string>& texts) {
            for (const std::string& text : texts) crack.blows.push_back(blow_at(text));
          },
          "strikes the surface before its coat dries: where, and how far that reaches, m; may be repeated")
      ->type_name("X,Y,Z,RADIUS")
      ->allow_extra_args(false);
  crack_sub->add_option("--seed", crack.seed, "another seed gives another, equally likely pattern")
      ->transform(seed_number());
  crack_sub->add_option("--mask-size", crack.size, "pixels of the mask over the texture")
      ->transform(whole_number_in(16, 16384));
  crack_sub->add_option("--threads", crack.threads, "number of threads (default all; never changes the result)")
      ->transform(thread_count());
  crack_sub->add_flag("--render", crack.render, "make film.mp4 and still.png");
  add_choice(*crack_sub, "--progress", crack.progress, styles, kProgress);

  BreakCommandOptions dropped;
  DropOptions drop;
  dropped.command = command_line(argc, argv);
  dropped.tilt = Vec3(20, 0, 12);  // on its rim or corner rather than flat
  auto* drop_sub = app.add_subcommand("drop", "drop my own model so that it breaks, no scene file needed");
  add_break_options(*drop_sub, dropped, axes, styles);
  drop_sub
      ->add_option("--height", drop.height,
                   "of the fall, in sizes of the model (its longest side), or with a unit: 0.8m, 30cm")
      ->capture_default_str();
  drop_sub
      ->add_option_function<std::string>(
          "--spin", [&](const std::string& text) { drop.spin = three_numbers("--spin", text, Vec3(1, 0, 0)); },
          "turns about x, y, z, or one number about x, in the time of a fall of one size (default none)")
      ->type_name("X,Y,Z");
  const Choices<Onto> targets = {
      {"ground", Onto::ground}, {"edge", Onto::edge}, {"corner", Onto::corner}, {"table", Onto::table}};
  add_choice(*drop_sub, "--onto", drop.onto, targets,
             "what it falls onto (default ground): the edge of a bar, the corner of a block, the edge of a table");

  BreakCommandOptions struck;
  HitOptions hit;
  struck.command = command_line(argc, argv);
  auto* hit_sub = app.add_subcommand("hit", "hit my own model so that it breaks, no scene file needed");
  add_break_options(*hit_sub, struck, axes, styles);
  const Choices<Striker> strikers = {{"ball", Striker::ball}, {"box", Striker::box}, {"capsule", Striker::capsule}};
  add_choice(*hit_sub, "--with", hit.with, strikers, "what hits it, from the left (default ball)");
  hit_sub
      ->add_option("--speed", hit.speed,
                   "of the blow, in those of a fall of the model's size, or with a unit: 5m/s, 60km/h")
      ->capture_default_str();
  hit_sub->add_option("--mass", hit.mass, "of the striker, in the model's, or with a unit: 2kg")->capture_default_str();
  hit_sub->add_option("--width", hit.width, "of the striker, in the model's size, or with a unit: 20cm")
      ->capture_default_str();
  hit_sub->add_option("--at", hit.at, "above the ground, in the model's height, or with a unit: 20cm")
      ->capture_default_str();

  ExportCommandOptions exported;
  auto* export_sub = app.add_subcommand("export", "a run for other programs");
  export_sub->add_option("DIR", exported.run, "run folder")->required();
  export_sub
      ->add_option(
          "-o,--output", exported.output,
          "of solids: .glb .usda .pc2 .mdd (all frames), .ply .obj .stl .off (a file for each frame); of surfaces: "
          ".ply (crack attributes), .obj .stl .off (gaps with walls), .svg (flat ones), .png (mask over the "
          "texture)")
      ->required();
  export_sub->add_option("--frame", exported.frame, "this one alone (default of surfaces: the last)")
      ->transform(whole_number_in(1, 9999999));
  export_sub->add_option("--frames", exported.frames, "of solids: 1-48, 1..48:2, 10,20 (default all)")
      ->transform(not_empty("1..48 or 10,20"));
  export_sub
      ->add_option("--fps", exported.fps, "of .glb .usda .mdd: frames that play in a second (default the scene's)")
      ->transform(number_in(1e-3, 1e6));
  export_sub->add_option("--scale", exported.scale, "units in a metre: 100 for centimetres")
      ->transform(number_in(1e-9, 1e9));
  add_choice(*export_sub, "--up", exported.up, {{"y", UpAxis::y}, {"z", UpAxis::z}}, "axis that points up (default y)");
  export_sub->add_flag("--deforming", exported.deforming, "of .glb: what rigid motion leaves out, as morph targets");
  export_sub->add_flag("--hulls", exported.hulls, "of .glb: a convex hull for every fragment");
  export_sub->add_flag("--changing", exported.changing, "of .usda: the topology of every frame as it was simulated");
  export_sub->add_flag("--cracks", exported.cracks, "of .ply .obj .stl .off: the crack faces alone");
  export_sub->add_flag("--grains", exported.grains, "of .ply: the grains of dust, as points");
  export_sub->add_flag("--lines", exported.lines, "of a surface as .obj: the cracks alone, as lines");
  export_sub->add_option("--size", exported.size, "of a surface as .png: pixels of the mask (default 2048)")
      ->transform(whole_number_in(16, 16384));
  export_sub->add_option("--width", exported.width, "of a surface as .svg or .png: of the lines, m")
      ->transform(number_in(1e-9, 1e6));

  auto* reference_sub = app.add_subcommand("reference", "print the page of all scene keys (Markdown)");

  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& done) {  // --help, --version
    app.exit(done);
    return ExitCode::fine;
  } catch (const CLI::ParseError& wrong) {
    const bool command = !app.get_subcommands().empty();
    const bool left_over = command && dynamic_cast<const CLI::ExtrasError*>(&wrong) != nullptr;
    const std::string what = left_over ? unexpected(app) : command ? wrong.what() : no_command(app, wrong.what());
    fmt::print(stderr, "sunder: {}\n  see `sunder {}--help`\n", printable(what),
               command ? app.get_subcommands()[0]->get_name() + " " : "");
    return ExitCode::usage;
  }

  if (*gallery_sub) return gallery_command(gallery);
  if (*run_sub) return run_command(run);
  if (*render_sub) return render_command(render);
  if (*plot_sub) return plot_command(plot);
  if (*new_sub) return new_command(fresh);
  if (*info_sub) return info_command(info);
  if (*check_sub) return check_command(check);
  if (*mesh_sub) return mesh_command(mesh);
  if (*crack_sub) return crack_command(crack);
  if (*drop_sub) return drop_command(dropped, drop);
  if (*hit_sub) return hit_command(struck, hit);
  if (*export_sub) return export_command(exported);
  if (*reference_sub) return reference_command();
  return ExitCode::usage;
}

}  // namespace

int main_program(int argc, char** argv) {
  set_replay_command(command_line(argc, argv));
  try {
    const ExitCode code = dispatch(argc, argv);
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
      throw FileError("standard output", std::string("cannot be written (") + std::strerror(errno) + ")");
    }
    return static_cast<int>(code);
  } catch (const Error& error) {
    std::fprintf(stderr, "sunder: %s\n", error.what());
    return static_cast<int>(error.code());
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "sunder: out of memory\n  use a larger edge, or a machine with more memory\n");
    return static_cast<int>(ExitCode::simulation);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "sunder: %s\n", error.what());
    return static_cast<int>(ExitCode::files);
  }
}

}  // namespace sunder::cli
