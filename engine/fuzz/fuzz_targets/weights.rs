#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| (yardmaster::fuzzing::target("weights").read)(bytes));
