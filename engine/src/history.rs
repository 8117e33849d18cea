//! The keys of the game so far: what a position alone can't know, namely whether it came before.

use crate::position::Key;

/// The keys of the positions of a line of play, the oldest first.
#[derive(Clone, Debug, Default)]
pub struct History {
    keys: Vec<Key>,
}

impl History {
    /// Adds the next position of the line.
    pub fn push(&mut self, key: Key) {
        self.keys.push(key);
    }

    /// Takes the newest position back.
    pub fn pop(&mut self) {
        self.keys.pop();
    }

    /// How many positions the line has.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether the line has no position yet.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// How often the position with this key stands in the line.
    pub fn count(&self, key: Key) -> usize {
        self.keys.iter().filter(|&&other| other == key).count()
    }

    /// Whether the position that comes next stands among the `reversible` ones before it.
    pub fn recurs(&self, next: Key, reversible: usize) -> bool {
        self.keys.iter().rev().take(reversible).any(|&key| key == next)
    }

    /// How often the newest position stands among itself and the `reversible` ones before it.
    pub fn occurrences(&self, reversible: usize) -> usize {
        let Some((&newest, earlier)) = self.keys.split_last() else { return 0 };
        1 + earlier.iter().rev().take(reversible).filter(|&&key| key == newest).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_counts_itself_and_only_what_could_recur() {
        let mut history = History::default();
        for key in [7, 1, 7, 2, 7] {
            history.push(Key(key));
        }
        assert_eq!(history.occurrences(4), 3);
        assert_eq!(history.occurrences(3), 2);
        assert_eq!(history.occurrences(0), 1);
        assert_eq!(history.count(Key(7)), 3);
        assert_eq!(history.count(Key(3)), 0);
        assert!(history.recurs(Key(1), 4) && !history.recurs(Key(1), 3));
        assert!(history.recurs(Key(7), 1) && !history.recurs(Key(7), 0));
    }
}
