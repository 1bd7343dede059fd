//! Reproducible randomness: everything random in a run depends on one number.

/// Splitmix64: random enough for a test, and always the same for a seed.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Dice {
        Dice(seed)
    }

    pub(crate) fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.roll() % bound as u64) as usize
    }

    pub(crate) fn one_in(&mut self, chances: usize) -> bool {
        self.below(chances) == 0
    }

    pub(crate) fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}

/// The seed of this run: `RELATA_SEED`, or one that differs from run to run.
pub(crate) fn seed() -> u64 {
    let given = std::env::var("RELATA_SEED").ok().and_then(|seed| seed.parse().ok());
    given.unwrap_or_else(|| u64::from(std::process::id()))
}

/// Whether the tests run at their full size, on an optimised build: `bin/test --long`.
pub(crate) fn is_long() -> bool {
    std::env::var_os("RELATA_LONG").is_some()
}

/// The size of a test: a small one, or the full one with `RELATA_LONG=1`.
pub(crate) fn share(short: usize, full: usize) -> usize {
    if is_long() { full } else { short }
}
