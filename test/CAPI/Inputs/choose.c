// Uses the C API as a program in C does: chooses in a module, explains it, and explains a text.
#include "ucmoh-c/Choose.h"
#include <stdio.h>
#include <string.h>

static const char product[] = "func.func @product(%a: tensor<16x64xf32>, %b: tensor<64x32xf32>, "
                              "%c: tensor<16x32xf32>) -> tensor<16x32xf32> {\n"
                              "  %d = linalg.matmul ins(%a, %b : tensor<16x64xf32>, "
                              "tensor<64x32xf32>) outs(%c : tensor<16x32xf32>)\n"
                              "    -> tensor<16x32xf32>\n"
                              "  return %d : tensor<16x32xf32>\n"
                              "}\n";

static void print(MlirStringRef text, void *userData) {
  (void)userData;
  fwrite(text.data, 1, text.length, stdout);
}

static MlirStringRef string(const char *text) { return mlirStringRefCreate(text, strlen(text)); }

int main(void) {
  UcmohChooseOptions options = {string("x86_avx2_fma@zen4"), string("analytic"), 1};
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  ucmohRegisterDialects(registry);
  MlirContext context = mlirContextCreateWithRegistry(registry, true);
  MlirModule module = mlirModuleCreateParse(context, string(product));
  printf("explain: ");
  int bad = mlirLogicalResultIsFailure(ucmohExplain(module, options, 2, print, NULL));
  bad += mlirLogicalResultIsFailure(ucmohChoose(module, options));
  printf("\nchoose: ");
  mlirOperationPrint(mlirModuleGetOperation(module), print, NULL);
  mlirModuleDestroy(module);
  mlirContextDestroy(context);
  mlirDialectRegistryDestroy(registry);
  printf("\ntext: ");
  bad += mlirLogicalResultIsFailure(ucmohExplainText(string(product), options, 0, print, NULL));
  printf("\nwrong text: ");
  bad += mlirLogicalResultIsSuccess(ucmohExplainText(string("nonsense"), options, 0, print, NULL));
  options.target = string("nowhere");
  printf("wrong target: ");
  bad += mlirLogicalResultIsSuccess(ucmohExplainText(string(product), options, 0, print, NULL));
  return bad;
}
