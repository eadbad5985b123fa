// Prints what is chosen for each contraction of a file, for a target of another file.
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "ucmoh/Dialect/Registration.h"
#include "ucmoh/Transforms/Passes.h"

int main(int argc, char **argv) {
  if (argc != 3)
    return 1;
  mlir::DialectRegistry registry;
  ucmoh::registerInputDialects(registry);
  mlir::MLIRContext context(registry);
  auto module = mlir::parseSourceFile<mlir::ModuleOp>(argv[2], &context);
  mlir::PassManager manager(&context);
  manager.addPass(ucmoh::createSelect({.target = argv[1], .model = "analytic"}));
  if (!module || mlir::failed(manager.run(*module)))
    return 1;
  module->walk([](mlir::linalg::LinalgOp op) {
    if (mlir::Attribute choice = op->getAttr("ucmoh.choice"))
      llvm::outs() << "chosen: " << choice << "\n";
  });
  return 0;
}
