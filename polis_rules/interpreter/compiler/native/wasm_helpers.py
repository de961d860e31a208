"""Operations of the tree that are no instructions of WebAssembly, as functions of a module."""

HELPERS = """\
(func $floor_div (param i64 i64) (result i64) (local i64)
 local.get 1 i64.eqz if unreachable end
 local.get 1 i64.const -1 i64.eq if i64.const 0 local.get 0 i64.sub return end
 local.get 0 local.get 1 i64.div_s local.tee 2
 local.get 0 local.get 2 local.get 1 i64.mul i64.ne
 local.get 0 local.get 1 i64.xor i64.const 0 i64.lt_s i32.and i64.extend_i32_u i64.sub)
(func $floor_mod (param i64 i64) (result i64) (local i64)
 local.get 1 i64.eqz if unreachable end
 local.get 0 local.get 1 i64.rem_s local.tee 2
 local.get 1 i64.const 0
 local.get 2 i64.const 0 i64.ne local.get 2 local.get 1 i64.xor i64.const 0 i64.lt_s i32.and select i64.add)
(func $multiply_high (param i64 i64) (result i64) (local i64 i64 i64)
 local.get 0 i64.const 32 i64.shr_u local.set 2
 local.get 1 i64.const 32 i64.shr_u local.set 3
 local.get 0 i64.const 0xffffffff i64.and local.tee 0 local.get 3 i64.mul
 local.get 0 local.get 1 i64.const 0xffffffff i64.and local.tee 1 i64.mul i64.const 32 i64.shr_u i64.add local.set 4
 local.get 2 local.get 3 i64.mul
 local.get 4 i64.const 32 i64.shr_u i64.add
 local.get 4 i64.const 0xffffffff i64.and local.get 2 local.get 1 i64.mul i64.add i64.const 32 i64.shr_u i64.add)
"""
