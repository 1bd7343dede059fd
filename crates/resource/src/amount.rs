//! Amounts of money: exact decimals with up to four places, never binary floats. An amount is parsed from text, stored
//! as a whole number of ten-thousandths, and printed as digits.

use crate::{Error, FieldType, Kind};
use store::{Ref, Value};

/// Ten-thousandths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Amount(pub u64);

const PLACES: u32 = 4;
const ONE: u64 = 10_000;
/// 10^15, in ten-thousandths.
const BOUND: u64 = 1_000_000_000_000_000 * ONE;
/// The column value of the amount 0. The offset lets all amounts fit into a signed 64-bit column in their order.
const ZERO: i64 = -5_000_000_000_000_000_000;

impl Amount {
    /// Parses a JSON number; the error is the reason to report.
    pub fn parse(text: &str) -> Result<Amount, &'static str> {
        let whole = decimal(text).ok_or("must be a number")??;
        match u64::try_from(whole) {
            Ok(amount) if amount < BOUND => Ok(Amount(amount)),
            _ if whole < 0 => Err("must not be negative"),
            _ => Err("must be below 1000000000000000"),
        }
    }

    /// The column's value.
    pub fn stored(self) -> i64 {
        ZERO.wrapping_add_unsigned(self.0)
    }

    pub fn of_stored(stored: i64) -> Amount {
        Amount(stored.wrapping_sub(ZERO) as u64)
    }

    /// The column value to compare with. Numbers outside the range of amounts become the smallest or largest `i64`.
    pub(crate) fn bound(text: &str) -> Result<i64, &'static str> {
        let whole = decimal(text).ok_or("must be a number")??;
        Ok(match u64::try_from(whole) {
            Ok(amount) if amount < BOUND => Amount(amount).stored(),
            _ if whole < 0 => i64::MIN,
            _ => i64::MAX,
        })
    }
}

impl std::fmt::Display for Amount {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&digits(self.0.into()))
    }
}

impl From<Amount> for Value {
    fn from(amount: Amount) -> Value {
        amount.stored().into()
    }
}

impl FieldType for Amount {
    const KIND: Kind = Kind::Amount;
    fn decode(value: Ref<'_>) -> Result<Self, Error> {
        Ok(Amount::of_stored(value.int()?))
    }
}

/// Ten-thousandths as digits, without trailing zeros. Sums may be larger than any amount.
pub fn digits(ten_thousandths: u128) -> String {
    let (whole, rest) = (ten_thousandths / u128::from(ONE), ten_thousandths % u128::from(ONE));
    match rest {
        0 => whole.to_string(),
        rest => format!("{whole}.{}", format!("{rest:04}").trim_end_matches('0')),
    }
}

/// A decimal number in ten-thousandths: `12`, `-0.5`, `1.25e3`. `None` is no number.
fn decimal(text: &str) -> Option<Result<i128, &'static str>> {
    let (negative, rest) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    let (mantissa, exponent) = rest.split_once(['e', 'E']).unwrap_or((rest, "0"));
    let (before, after) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let plain = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if before.is_empty() || !plain(before) || !plain(after) || mantissa.ends_with('.') {
        return None;
    }
    let unsigned = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    if unsigned.is_empty() || !plain(unsigned) {
        return None;
    }
    let all = format!("{before}{after}");
    let all = all.trim_start_matches('0');
    if all.is_empty() {
        return Some(Ok(0));
    }
    // An exponent that does not fit only means that the number is far too large or too fine.
    let exponent: i64 = exponent.parse().unwrap_or(if exponent.starts_with('-') { -100_000 } else { 100_000 });
    let trimmed = all.trim_end_matches('0');
    let power = exponent.saturating_sub(after.len() as i64) + i64::from(PLACES) + (all.len() - trimmed.len()) as i64;
    if power < 0 {
        return Some(Err("must have at most 4 decimal places"));
    }
    // With more than 30 digits the number exceeds every amount, so that its exact value does not matter.
    let whole = match trimmed.len() as i64 + power {
        ..=30 => trimmed.parse::<i128>().unwrap_or(i128::MAX).saturating_mul(10_i128.pow(power as u32)),
        _ => i128::MAX,
    };
    Some(Ok(if negative { -whole } else { whole }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_digit_is_preserved() {
        for (text, shown) in [
            ("0", "0"),
            ("0.1", "0.1"),
            ("12.50", "12.5"),
            ("1.25e3", "1250"),
            ("5e-4", "0.0005"),
            ("1000e-3", "1"),
            ("999999999999999.9999", "999999999999999.9999"),
            ("900719925474099.3", "900719925474099.3"),
            ("0e999999999999", "0"),
            ("-0", "0"),
        ] {
            let amount = Amount::parse(text).map(|amount| Amount::of_stored(amount.stored()).to_string());
            assert_eq!(amount.as_deref(), Ok(shown), "{text}");
        }
    }

    #[test]
    fn invalid_amounts_are_rejected() {
        for (texts, why) in [
            (&["-1", "-0.0001", "-1e30"][..], "must not be negative"),
            (&["1000000000000000", "1e15", "1e20", "1e99999999999999999999"], "must be below 1000000000000000"),
            (&["0.00001", "1e-5"], "must have at most 4 decimal places"),
        ] {
            texts.iter().for_each(|text| assert_eq!(Amount::parse(text), Err(why), "{text}"));
        }
        for text in ["", "-", ".5", "5.", "1e", "1e+", "abc", "0x10", "1_000", "１", "Infinity"] {
            assert_eq!(Amount::parse(text), Err("must be a number"), "{text}");
        }
    }

    #[test]
    fn columns_sort_like_amounts() {
        let texts =
            ["-1", "0", "0.0001", "1", "922337203685477.5807", "922337203685477.5808", "999999999999999.9999", "1e15"];
        assert_eq!(Amount::bound("1e30"), Ok(i64::MAX));
        let bounds: Vec<i64> = texts.iter().map(|text| Amount::bound(text).unwrap()).collect();
        assert!(bounds.is_sorted_by(|a, b| a < b), "{bounds:?}");
    }
}
