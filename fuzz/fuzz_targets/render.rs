#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| mdgraft_fuzz::render::check(data));
