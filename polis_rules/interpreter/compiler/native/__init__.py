"""Generated code as native code: one typed tree, printed as C and as WebAssembly."""
