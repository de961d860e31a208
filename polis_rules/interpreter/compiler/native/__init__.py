"""Generated code as native code: one typed tree, printed as C and as WebAssembly."""

from polis_rules.interpreter.compiler.native.c_printer import c_source
from polis_rules.interpreter.compiler.native.in_python import in_python
from polis_rules.interpreter.compiler.native.lowering import (
    BOTTOM,
    CONTEXT,
    COUNTS,
    KEPT,
    LIMIT,
    TOP,
    UNCOUNTED,
    Lowering,
    kept_places,
)
from polis_rules.interpreter.compiler.native.records import (
    BATCH,
    KNOWN_MOST,
    LOG,
    NODE,
    NODE_WORDS,
    TREE,
    WORTH,
    per_player,
)
from polis_rules.interpreter.compiler.native.tree import WORD, Shape, Unit
from polis_rules.interpreter.compiler.native.wasm_printer import PAGE, wasm_text
from polis_rules.interpreter.compiler.native.words import NotNativeError
