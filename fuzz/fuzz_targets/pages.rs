#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| mdgraft_fuzz::pages::check(data));
