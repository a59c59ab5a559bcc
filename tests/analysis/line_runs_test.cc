#include "analysis/line_runs.h"

#include <gtest/gtest.h>

#include "analysis/cta_reuse.h"
#include "tests/analysis/kernels.h"

namespace heddle::analysis {

inline bool operator==(const Run& a, const Run& b) {
  return a.first == b.first && a.last == b.last;
}
inline void PrintTo(const Run& run, std::ostream* out) {
  *out << "[" << run.first << ", " << run.last << "]";
}

namespace {

constexpr std::int64_t kBase = kA;

Runs normalized(Runs runs) {
  normalize(runs, 128);
  return runs;
}

TEST(Normalize, JoinsWhatIsAtMostALineApart) {
  EXPECT_EQ(normalized({{0, 3}, {131, 140}}), (Runs{{0, 140}}));
  EXPECT_EQ(normalized({{0, 3}, {132, 140}}), (Runs{{0, 3}, {132, 140}}));
  EXPECT_EQ(normalized({}), Runs{});
}

TEST(Normalize, SortsAndKeepsTheLongerEnd) {
  EXPECT_EQ(normalized({{1000, 1003}, {0, 500}, {4, 7}}), (Runs{{0, 500}, {1000, 1003}}));
}

TEST(LinesOf, EachLineIsThereOnce) {
  const Runs runs{{100, 300}, {380, 383}, {520, 523}};
  EXPECT_EQ(lines_of(runs, 128), (std::vector<std::uint64_t>{0, 1, 2, 4}));
  EXPECT_EQ(count_lines(runs, 128), 4u);
  EXPECT_EQ(lines_of({{127, 128}}, 128), (std::vector<std::uint64_t>{0, 1}));
  EXPECT_EQ(count_lines({{127, 128}}, 128), 2u);
  EXPECT_TRUE(lines_of({}, 128).empty());
  EXPECT_EQ(count_lines({}, 128), 0u);
}

// The runs of one access of a kernel; addresses are relative to the array a.
struct Touched {
  Touched(const std::string& body, Dim3 grid, Dim3 block, std::uint32_t n = 0)
      : evaluated(body, grid, block, n),
        runs(evaluated.symbolic, evaluated.kernel, evaluated.shape, 128) {}

  const SymbolicAccess& access() const { return evaluated.symbolic.accesses.front(); }
  Runs in(const Region& region) {
    const std::optional<Runs> found = runs.collect(access(), region);
    EXPECT_TRUE(found) << runs.why();
    return relative(found.value_or(Runs{}));
  }
  Runs everywhere() { return in(runs.whole()); }
  std::vector<Piece> pieces() {
    const auto found = runs.pieces(access(), runs.whole(), kCtaAxes);
    EXPECT_TRUE(found) << runs.why();
    std::vector<Piece> result = found.value_or(std::vector<Piece>{});
    for (Piece& p : result) p.runs = relative(std::move(p.runs));
    return result;
  }
  static Runs relative(Runs all) {
    for (Run& r : all) r.first -= kBase, r.last -= kBase;
    return all;
  }

  Evaluated evaluated;
  LineRuns runs;
};

// An access to a[index], index in %r10.
std::string indexed(const std::string& instructions) {
  return instructions + load_at("%rd1", "%r10");
}
const std::string kGlobalIndex = "mad.lo.s32 %r10, %r3, 32, %r1;\n";  // 32 * bidx + tidx

TEST(LineRuns, WarpsAreConsecutiveThreadsAndTheLastMayBeShort) {
  Touched t(indexed("mov.u32 %r10, %r1;"), {1, 1, 1}, {16, 2, 2});
  const std::vector<ThreadIndex> second = t.runs.warp(1);
  ASSERT_EQ(second.size(), 32u);
  EXPECT_EQ(second[0].x, 0u);
  EXPECT_EQ(second[0].y, 0u);
  EXPECT_EQ(second[0].z, 1u);
  EXPECT_EQ(second[17].x, 1u);
  EXPECT_EQ(second[17].y, 1u);
  Touched odd(indexed("mov.u32 %r10, %r1;"), {1, 1, 1}, {40, 1, 1});
  EXPECT_EQ(odd.runs.warp(1).size(), 8u);
}

TEST(LineRuns, NeighbouringWordsAreOneRun) {
  EXPECT_EQ(Touched(indexed(kGlobalIndex), {3, 1, 1}, {32, 1, 1}).everywhere(), (Runs{{0, 383}}));
  // a[95 - (32 * bidx + tidx)]
  EXPECT_EQ(Touched(indexed(kGlobalIndex + "sub.s32 %r10, 95, %r10;"), {3, 1, 1}, {32, 1, 1})
                .everywhere(),
            (Runs{{0, 383}}));
}

TEST(LineRuns, AStrideOfMoreThanALineSeparatesRuns) {
  const Runs runs =
      Touched(indexed("mul.lo.s32 %r10, %r1, 64;"), {1, 1, 1}, {3, 1, 1}).everywhere();
  EXPECT_EQ(runs, (Runs{{0, 3}, {256, 259}, {512, 515}}));
  EXPECT_EQ(Touched(indexed("mul.lo.s32 %r10, %r1, 32;"), {1, 1, 1}, {3, 1, 1}).everywhere(),
            (Runs{{0, 259}}));  // a line apart: no line between them is left out
}

TEST(LineRuns, IterationsOfALoopAreRepeatedPatterns) {
  const std::string loop = "mov.u32 %r11, 0;\nLOOP: mad.lo.s32 %r10, %r11, 100, %r1;\n" +
                           load_at("%rd1", "%r10") +
                           "add.s32 %r11, %r11, 1; setp.lt.s32 %p1, %r11, %r5; @%p1 bra LOOP;\n";
  EXPECT_EQ(Touched(loop, {1, 1, 1}, {32, 1, 1}, 3).everywhere(),
            (Runs{{0, 127}, {400, 527}, {800, 927}}));
  // Only the first two iterations.
  Touched t(loop, {1, 1, 1}, {32, 1, 1}, 3);
  Region region = t.runs.whole();
  region.variables[t.evaluated.symbolic.loops[0].counter] = {0, 1};
  EXPECT_EQ(t.in(region), (Runs{{0, 127}, {400, 527}}));
  region.variables[t.evaluated.symbolic.loops[0].counter] = {3, 5};  // behind the last
  EXPECT_EQ(t.in(region), Runs{});
}

TEST(LineRuns, ALoopWhoseEndDependsOnTheThreadIsATriangle) {
  // for (i = 0; i <= tidx; ++i) a[32 * i]
  const std::string loop = "mov.u32 %r11, 0;\nLOOP: mul.lo.s32 %r10, %r11, 64;\n" +
                           load_at("%rd1", "%r10") +
                           "add.s32 %r11, %r11, 1; setp.le.s32 %p1, %r11, %r1; @%p1 bra LOOP;\n";
  Touched t(loop, {1, 1, 1}, {3, 1, 1});
  EXPECT_EQ(t.everywhere(), (Runs{{0, 3}, {256, 259}, {512, 515}}));
  Region region = t.runs.whole();
  region.threads = {{1, 0, 0}};
  EXPECT_EQ(t.in(region), (Runs{{0, 3}, {256, 259}}));
}

TEST(LineRuns, AGuardKeepsItsLanes) {
  const std::string guard = "setp.ge.s32 %p1, %r1, 5; @%p1 bra DONE;\n";
  EXPECT_EQ(
      Touched(guard + indexed("mov.u32 %r10, %r1;") + "DONE:", {1, 1, 1}, {32, 1, 1}).everywhere(),
      (Runs{{0, 19}}));
  Touched never(guard + indexed("mov.u32 %r10, %r1;") + "DONE:", {1, 1, 1}, {32, 1, 1});
  Region region = never.runs.whole();
  region.variables[tid_x] = {5, 31};
  EXPECT_EQ(never.in(region), Runs{});
}

TEST(LineRuns, AGuardThatDependsOnDataCountsAsHolding) {
  const std::string body = load_at("%rd2", "%r1") +
                           "setp.gt.f32 %p1, %f9, 0f00000000; @%p1 bra DONE;\n" +
                           indexed("mov.u32 %r10, %r1;") + "DONE:";
  Touched t(body, {1, 1, 1}, {32, 1, 1});
  const auto runs = t.runs.collect(t.evaluated.symbolic.accesses[1], t.runs.whole());
  ASSERT_TRUE(runs);
  EXPECT_EQ(Touched::relative(*runs), (Runs{{0, 127}}));
}

TEST(LineRuns, LanesOfAWarpAreTakenOneByOneOnlyWhereTheyAreCoupled) {
  // a[min(tidx, 7)] in the second row of threads.
  Touched t(indexed("min.s32 %r10, %r1, 7;"), {1, 1, 1}, {32, 2, 1});
  Region region = t.runs.whole();
  region.threads = t.runs.warp(1);
  EXPECT_EQ(t.in(region), (Runs{{0, 31}}));
  EXPECT_EQ(t.runs.points(), 32u);
  Touched linear(indexed("mul.lo.s32 %r10, %r1, -2;"), {1, 1, 1}, {32, 2, 1});
  region = linear.runs.whole();
  region.threads = linear.runs.warp(1);
  EXPECT_EQ(linear.in(region), (Runs{{-248, 3}}));
  EXPECT_EQ(linear.runs.points(), 1u);
}

TEST(LineRuns, AWarpOfSeveralLayersTouchesEachOfThem) {
  Touched t("mov.u32 %r7, %tid.z;\n" + indexed("mad.lo.s32 %r10, %r7, 64, %r1;"), {1, 1, 1},
            {16, 1, 4});
  Region region = t.runs.whole();
  region.threads = t.runs.warp(1);
  EXPECT_EQ(t.in(region), (Runs{{512, 575}, {768, 831}}));
}

TEST(LineRuns, AVectorAccessTouchesAllItsBytes) {
  Touched t(
      "mul.wide.s32 %rd3, %r1, 256; add.s64 %rd3, %rd1, %rd3;\n"
      "ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd3];",
      {1, 1, 1}, {2, 1, 1});
  EXPECT_EQ(t.everywhere(), (Runs{{0, 15}, {256, 271}}));
}

TEST(LineRuns, ALoopWithoutACountHidesOnlyWhatItMoves) {
  const auto loop = [](const std::string& index) {
    return "mov.u32 %r11, 0;\nLOOP: mov.u32 %r10, " + index + ";\n" + load_at("%rd1", "%r10") +
           "add.s32 %r11, %r11, 1; setp.gt.f32 %p1, %f9, 0f00000000; @%p1 bra LOOP;\n";
  };
  EXPECT_EQ(Touched(loop("%r1"), {1, 1, 1}, {32, 1, 1}).everywhere(), (Runs{{0, 127}}));
  Touched moved(loop("%r11"), {1, 1, 1}, {32, 1, 1});
  EXPECT_FALSE(moved.runs.collect(moved.access(), moved.runs.whole()));
  EXPECT_EQ(moved.runs.why(), moved.evaluated.symbolic.loops[0].reason);
}

TEST(LineRuns, MoreThan2To19CoupledPointsAreTooMany) {
  const std::string clamped = indexed("mad.lo.s32 %r10, %r3, 256, %r1; min.s32 %r10, %r10, 9999;");
  Touched few(clamped, {2048, 1, 1}, {256, 1, 1});
  EXPECT_EQ(few.everywhere(), (Runs{{0, 4 * 9999 + 3}}));
  EXPECT_EQ(few.runs.points(), 1u << 19);
  Touched many(clamped, {2049, 1, 1}, {256, 1, 1});
  EXPECT_FALSE(many.runs.collect(many.access(), many.runs.whole()));
  EXPECT_EQ(many.runs.why(), "an access has too many points that must be evaluated one by one");
}

TEST(LineRuns, MoreThan2To17SeparateRunsAreTooMany) {
  const std::string sparse = indexed("mad.lo.s32 %r10, %r3, 256, %r1; mul.lo.s32 %r10, %r10, 64;");
  Touched many(sparse, {513, 1, 1}, {256, 1, 1});
  EXPECT_FALSE(many.runs.collect(many.access(), many.runs.whole()));
  EXPECT_EQ(many.runs.why(), "an access touches too many separate lines");
}

TEST(Pieces, AnUnguardedAccessIsOnePieceThatMoves) {
  const std::vector<Piece> pieces = Touched(indexed(kGlobalIndex), {8, 2, 1}, {32, 1, 1}).pieces();
  ASSERT_EQ(pieces.size(), 1u);
  EXPECT_EQ(pieces[0].box[0].high, 7);
  EXPECT_EQ(pieces[0].box[1].high, 1);
  EXPECT_EQ(pieces[0].coefficients, (std::vector<std::int64_t>{128, 0, 0}));
  EXPECT_EQ(pieces[0].runs, (Runs{{0, 127}}));
}

TEST(Pieces, AGuardAtTheGridsEndIsAPieceOfItsOwn) {
  // 32 * bidx + tidx < 100: CTAs 0 to 2 whole, 4 threads of CTA 3, none of the others.
  const std::vector<Piece> pieces =
      Touched(kGlobalIndex + "setp.ge.s32 %p1, %r10, 100; @%p1 bra DONE;\n" + indexed("") + "DONE:",
              {8, 1, 1}, {32, 1, 1})
          .pieces();
  ASSERT_EQ(pieces.size(), 2u);
  EXPECT_EQ(pieces[0].box[0].low, 0);
  EXPECT_EQ(pieces[0].box[0].high, 2);
  EXPECT_EQ(pieces[0].runs, (Runs{{0, 127}}));
  EXPECT_TRUE(pieces[1].box[0].is_point());
  EXPECT_EQ(pieces[1].box[0].low, 3);
  EXPECT_EQ(pieces[1].coefficients[0], 128);
  EXPECT_EQ(pieces[1].runs, (Runs{{0, 15}}));  // moved by 3 * 128
}

TEST(Pieces, AClampedIndexStopsMoving) {
  // min(32 * bidx + tidx, 100)
  const std::vector<Piece> pieces =
      Touched(indexed(kGlobalIndex + "min.s32 %r10, %r10, 100;"), {8, 1, 1}, {32, 1, 1}).pieces();
  ASSERT_EQ(pieces.size(), 3u);
  EXPECT_EQ(pieces[0].coefficients[0], 128);
  EXPECT_EQ(pieces[1].box[0].low, 3);
  EXPECT_EQ(pieces[1].runs, (Runs{{0, 19}}));  // words 96 to 100, moved by 3 * 128
  EXPECT_EQ(pieces[2].box[0].low, 4);
  EXPECT_EQ(pieces[2].box[0].high, 7);
  EXPECT_EQ(pieces[2].coefficients[0], 0);
  EXPECT_EQ(pieces[2].runs, (Runs{{400, 403}}));
}

TEST(Pieces, AGuardForOneCtaIsAPieceBetweenTwoOthers) {
  // Every CTA but the third.
  const std::vector<Piece> pieces =
      Touched("setp.eq.s32 %p1, %r3, 2; @%p1 bra DONE;\n" + indexed(kGlobalIndex) + "DONE:",
              {6, 1, 1}, {32, 1, 1})
          .pieces();
  ASSERT_EQ(pieces.size(), 2u);
  EXPECT_EQ(pieces[0].box[0].high, 1);
  EXPECT_EQ(pieces[1].box[0].low, 3);
  EXPECT_EQ(pieces[1].box[0].high, 5);
}

// bidx + tidx < 20 is open in as many CTAs as the largest tidx.
TEST(Pieces, AGuardMayBeOpenInTwelveCtas) {
  const auto found = [](std::uint32_t threads) {
    Touched t("add.s32 %r11, %r3, %r1; setp.ge.s32 %p1, %r11, 20; @%p1 bra DONE;\n" +
                  indexed(kGlobalIndex) + "DONE:",
              {64, 1, 1}, {threads, 1, 1});
    return t.runs.pieces(t.access(), t.runs.whole(), kCtaAxes).has_value();
  };
  EXPECT_TRUE(found(13));
  EXPECT_FALSE(found(14));
}

TEST(Pieces, AQuotientOfACtaIndexDoesNotMoveUniformly) {
  Touched t(indexed("shr.u32 %r10, %r3, 1;"), {8, 1, 1}, {32, 1, 1});
  EXPECT_FALSE(t.runs.pieces(t.access(), t.runs.whole(), kCtaAxes));
  EXPECT_EQ(t.runs.why(), "the address or a guard does not change uniformly");
}

TEST(Pieces, AGuardOverTwoAxesDoesNotChangeUniformly) {
  Touched t("add.s32 %r11, %r3, %r4; setp.ge.s32 %p1, %r11, 5; @%p1 bra DONE;\n" +
                indexed(kGlobalIndex) + "DONE:",
            {8, 8, 1}, {32, 1, 1});
  EXPECT_FALSE(t.runs.pieces(t.access(), t.runs.whole(), kCtaAxes));
}

}  // namespace
}  // namespace heddle::analysis
