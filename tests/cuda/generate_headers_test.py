"""sdk/generate.py: the notation of its tables, and mistakes in them."""
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "sdk"))
import generate

CALLS = "further runtime: cudaX\nfurther driver: cuX\n"


def tables(text):
    with tempfile.TemporaryDirectory() as folder:
        sdk = pathlib.Path(folder)
        (sdk / "tables").mkdir()
        (sdk / "include/heddle").mkdir(parents=True)
        (sdk / "tables/t.txt").write_text(CALLS + text)
        for name in ("cuda_runtime_api.h", "heddle/graph_calls.h"):
            (sdk / "include" / name).write_text("cudaError_t cudaB(int);\nconst char* cudaA(int,\n")
        (sdk / "include/cuda.h").write_text(
            "CUresult cuB(int* a,\n    char, E b);\n  CUresult cuInner(int);\n")
        generate.SDK = sdk
        return generate.Tables()


def header(text, name="h.h"):
    return "\n".join(tables("header h.h\n" + text).headers[name][2:])


class Notation(unittest.TestCase):
    def test_patterns_stand_for_every_choice(self):
        self.assertEqual(generate.expand("[SD]gemm(|Ex)"), ["Sgemm", "SgemmEx", "Dgemm", "DgemmEx"])

    def test_the_driver_spells_words_in_capitals(self):
        for pattern, word, name in (
                ("cudaX*", "SetReadMostly", "cudaXSetReadMostly"),
                ("CU_X_*", "SetReadMostly", "CU_X_SET_READ_MOSTLY"),
                ("CU_X_*", "GPUDirectRDMAWrites", "CU_X_GPU_DIRECT_RDMA_WRITES"),
                ("CU_X_*", "VECTOR_32x4", "CU_X_VECTOR_32x4"), ("CU_X_*", "!Whole", "Whole")):
            self.assertEqual(generate.spell(pattern, word), name)

    def test_a_value_follows_the_one_before_it(self):
        self.assertEqual(header("enum E e P_*: A B=0x10\n  C\n"),
                         "typedef enum E {\n  P_A = 0,\n  P_B = 16,\n  P_C = 17\n} e;")

    def test_an_enumeration_of_both_apis_is_written_once(self):
        both = "enum cudaE cudaX* = CUe_enum CUe CU_X_*: One TwoWords|SECOND |THIRD Fourth|=9\n"
        runtime, driver = header(both).split("\n"), header(both, generate.DRIVER).split("\n")
        self.assertEqual(runtime, ["enum cudaE {", "  cudaXOne = 0,", "  cudaXTwoWords = 1,",
                                   "  cudaXFourth = 9", "};"])
        self.assertEqual(driver, ["typedef enum CUe_enum {", "  CU_X_ONE = 0,",
                                  "  CU_X_SECOND = 1,", "  CU_X_THIRD = 2", "} CUe;"])

    def test_a_structure_of_both_apis_is_written_once(self):
        both = "struct cudaS c = CUs_v1:\n  <void*|CUdeviceptr> p;\n"
        self.assertEqual(header(both), "typedef struct cudaS {\n  void* p;\n} c;")
        self.assertEqual(header(both, generate.SHARED),
                         "typedef struct CUs_st {\n  CUdeviceptr p;\n} CUs_v1, CUs;")

    def test_constants_and_names_are_macros(self):
        self.assertEqual(header("constants P*: One=1 Less=-1\nnames Q* = P*: One\n"),
                         "#define POne 1\n#define PLess (-1)\n#define QOne POne")

    def test_errors_exist_in_the_apis_that_name_them(self):
        made = tables(
            "errors:\n  0 Success SUCCESS no error\n  7 Old - old\n    er text\n  9 - NEW\n")
        self.assertEqual(made.headers[generate.RUNTIME][2:],
                         ["enum cudaError {\n  cudaSuccess = 0,\n  cudaErrorOld = 7\n};"])
        self.assertEqual(made.lists["objects/errors.inc"],
                         ['HEDDLE_ERROR(cudaSuccess, "no error")',
                          'HEDDLE_ERROR(cudaErrorOld, "older text")'])
        self.assertEqual(made.lists["driver/errors.inc"],
                         ["HEDDLE_ERROR(CUDA_SUCCESS)", "HEDDLE_ERROR(CUDA_ERROR_NEW)"])

    def test_every_declared_call_is_listed(self):
        made = tables("changed 11 13: cudaB\nvariants driver _v2: cuB\n")
        self.assertEqual(made.lists["abi/runtime_calls.inc"],
                         ["HEDDLE_CALL(cudaA)", "HEDDLE_CALL(cudaX)",
                          "HEDDLE_CHANGED(cudaB, heddle_cudaB_11, cudaB)"])
        self.assertEqual(made.lists["abi/driver_calls.inc"],
                         ["HEDDLE_DRIVER(cuB)", "HEDDLE_DRIVER(cuX)",
                          "HEDDLE_DRIVER_VARIANT(cuB, _v2)"])

    def test_a_forwarded_call_passes_its_named_parameters_to_the_runtime(self):
        made = tables("forwarded: cuB cuB=cudaA\n")
        self.assertEqual(made.lists["driver/forwarded_calls.inc"],
                         [f"CUresult cuB(int* a, char, E b) {{ return driver([&] {{ "
                          f"return {target}(As{{a}}, As{{b}}); }}); }}"
                          for target in ("cudaB", "cudaA")])

    def test_a_refused_call_is_declared_with_its_parameters(self):
        made = tables("refused driver such call:\n  cuY\n  cuY_v2(int,\n      char*)\n")
        self.assertEqual(made.lists["driver/refused_calls.inc"],
                         ['HEDDLE_REFUSED_DRIVER(cuY, "such call")',
                          'HEDDLE_REFUSED_DRIVER(cuY_v2, "such call")'])
        self.assertIn("CUresult cuY_v2(int, char*);\n#define cuY cuY_v2",
                      "\n".join(made.headers["heddle/refused_driver_calls.h"]))

    def test_calls_of_libraries_without_a_signature_are_refused(self):
        made = tables("header h.h\nabsent L = BAD: S p*: [SD]one [S]two\n"
                      "calls l S p*_v2: [SC]one(H h, N n, const T* x, const R* y, T* const z[])\n")
        self.assertEqual(made.headers["h.h"][2], '#include "heddle/absent.h"')
        self.assertEqual([line for line in made.headers["h.h"] if "ABSENT" in line],
                         ['HEDDLE_ABSENT("L", S, BAD, pDone)', 'HEDDLE_ABSENT("L", S, BAD, pStwo)'])
        self.assertIn("S pCone_v2(H h, int n, const cuComplex* x, const float* y, "
                      "cuComplex* const z[]);\n#define pCone pCone_v2",
                      "\n".join(made.headers["h.h"]))
        self.assertEqual(made.lists["libraries/l_calls.inc"][1],
                         'extern "C" S pSone_v2_64(H h, int64_t n, const float* x, const float* y, '
                         "float* const z[]) { return one(h, n, x, y, z); }")

    def test_a_mistake_names_the_table_and_the_statement(self):
        with self.assertRaisesRegex(SystemExit, r"t\.txt.*\n?.*in\nenum E P\*: A=five"):
            tables("header h.h\nenum E P*: A=five\n")
        with self.assertRaisesRegex(SystemExit, "read_enumeration"):
            tables("enumeration E: A\n")


if __name__ == "__main__":
    unittest.main()
