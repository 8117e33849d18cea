//! Words of the lines that players write.

/// The first word of a line, and the rest.
pub(super) fn first(line: &str) -> (&str, &str) {
    let line = line.trim_start();
    line.split_once(char::is_whitespace).map_or((line, ""), |(word, rest)| (word, rest.trim()))
}

/// The pairs of a Hub line: `depth=5 pv="32-28 19-23"`. A flag is a pair without a value.
pub(super) fn pairs(mut rest: &str) -> Vec<(&str, &str)> {
    let mut pairs = Vec::new();
    loop {
        rest = rest.trim_start();
        if rest.is_empty() {
            return pairs;
        }
        let end = rest.find(|c: char| c == '=' || c.is_whitespace()).unwrap_or(rest.len());
        let (key, tail) = rest.split_at(end);
        let Some(value) = tail.strip_prefix('=') else {
            pairs.push((key, ""));
            rest = tail;
            continue;
        };
        let (value, tail) = match value.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => value.split_at(value.find(char::is_whitespace).unwrap_or(value.len())),
        };
        pairs.push((key, value));
        rest = tail;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hub_line_is_cut_into_pairs() {
        assert_eq!(
            pairs("depth=5 score=-0.12 pv=\"32-28 19x23\" flag empty=\"\""),
            [
                ("depth", "5"),
                ("score", "-0.12"),
                ("pv", "32-28 19x23"),
                ("flag", ""),
                ("empty", "")
            ]
        );
        assert_eq!(pairs("a=\"open b"), [("a", "open b")]);
        assert_eq!(pairs("=x  ="), [("", "x"), ("", "")]);
    }

    #[test]
    fn the_first_word_ends_at_white_space() {
        assert_eq!(first("bestmove\tc4  ponder d4"), ("bestmove", "c4  ponder d4"));
        assert_eq!(first("uciok"), ("uciok", ""));
    }
}
