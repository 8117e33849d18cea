//! The positions that the benchmarks share.

use yardmaster::position::Position;

/// A position by its text, or the start position without one.
///
/// # Panics
/// When the text is not a position.
pub fn position<P: Position>(text: Option<&str>) -> P {
    let rules = P::Rules::default();
    match text {
        None => P::start(rules),
        Some(text) => P::read(text, rules).expect("the benchmark's positions are legal"),
    }
}

/// Forty kings: all captures are those of kings.
pub const ALL_KINGS: &str = "W:WK31,K32,K33,K34,K35,K36,K37,K38,K39,K40,K41,K42,K43,K44,K45,K46,K47,K48,K49,K50:BK1,K2,K3,K4,K5,K6,K7,K8,K9,K10,K11,K12,K13,K14,K15,K16,K17,K18,K19,K20:H0:F1";

/// A halma game in which the armies have met.
pub const HALMA_CONTACT: &str = "1rr1r11/r1r1rr10/1rr1r11/2rr12/2rrr11/6r9/4rr10/4r11/16/13b2/16/10bbbb1b/11b1b2/7bbb1bb2b/11b1b2/12bb1b b 94";

/// A banqi game with the last pieces face down.
pub const BANQI_MIDDLE: &str = "?rpck1R1/e1RA1A1E/pHPK?P2/hE1Pcre1 b ap 0 51";

/// Kalah with 38 stones left to play for.
pub const KALAH_MIDDLE: &str = "1,3,0,1,3,3,2/2,1,4,14,3,3,8 s";

/// Kalah with 32 stones left to play for.
pub const KALAH_LATE: &str = "5,1,0,0,1,1,6/0,2,4,4,3,11,10 s";
