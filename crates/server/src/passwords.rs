//! Passwords: checked for strength with zxcvbn and hashed with argon2id, two at a time, on threads that serve no requests.
//! Each client address (or user) has a queue. The queues are served in turn, so that a flood from one address delays the
//! others by at most one hash per round.

use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use resource::{Error, invalid};
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};
use std::time::Duration;
use tokio::sync::oneshot;
use zxcvbn::Score;

/// Hashes at a time: each takes 19 MiB and a core for some hundredths of a second.
const AT_ONCE: usize = 2;
/// Requests of one client in the queue or being hashed; more are refused at once.
const PER_CLIENT: usize = 10;
/// How long a request waits for its turn.
const TURN_TIMEOUT: Duration = Duration::from_secs(30);

/// The least number of characters of a new password.
const LEAST: usize = 12;
/// The strength of a new password is estimated in pieces of this many characters; it is as strong as its strongest piece.
/// The estimate's time grows faster than the length, and beyond 20 its arithmetic overflows.
const PIECE: usize = 20;
/// Characters that a new password must have besides its owner's name, address and workspace.
const LEAST_UNKNOWN: usize = 8;

#[derive(Clone, Default)]
pub(crate) struct Passwords(Arc<Mutex<Queues>>);

#[derive(Default)]
struct Queues {
    running: usize,
    /// Requests by client, waiting or running.
    present: HashMap<String, usize>,
    waiting: HashMap<String, VecDeque<oneshot::Sender<Turn>>>,
    /// Clients with waiting requests, the next one first.
    order: VecDeque<String>,
}

impl Queues {
    /// The first waiting request of the next client. Cancelled requests are dropped.
    fn next(&mut self) -> Option<oneshot::Sender<Turn>> {
        while let Some(client) = self.order.pop_front() {
            let queue = self.waiting.entry(client.clone()).or_default();
            let next = std::iter::from_fn(|| queue.pop_front()).find(|waiting| !waiting.is_closed());
            if queue.is_empty() {
                self.waiting.remove(&client);
            } else {
                self.order.push_back(client);
            }
            if next.is_some() {
                return next;
            }
        }
        None
    }
}

/// A request that was admitted to the queue.
pub(crate) struct Place {
    passwords: Passwords,
    client: String,
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut queues = self.passwords.lock();
        if let Some(present) = queues.present.get_mut(&self.client) {
            *present -= 1;
            if *present == 0 {
                queues.present.remove(&self.client);
            }
        }
    }
}

/// A permit to hash. Dropping it starts the next waiting request.
struct Turn(Passwords);

impl Drop for Turn {
    fn drop(&mut self) {
        self.0.lock().running -= 1;
        self.0.serve();
    }
}

/// A new password, and facts about its owner that an attacker may know.
pub(crate) struct New<'a> {
    pub field: &'static str,
    pub password: &'a str,
    pub about: Vec<String>,
}

impl Passwords {
    /// Admits a request of this client (a network address or a user), unless the client has too many already.
    pub(crate) fn admit(&self, client: &str) -> Result<Place, Error> {
        let mut queues = self.lock();
        let present = queues.present.entry(client.to_owned()).or_default();
        if *present >= PER_CLIENT {
            return Err(Error::Attempts { seconds: 1 });
        }
        *present += 1;
        Ok(Place { passwords: self.clone(), client: client.to_owned() })
    }

    /// Gives free turns to waiting requests.
    fn serve(&self) {
        loop {
            let next = {
                let mut queues = self.lock();
                if queues.running >= AT_ONCE {
                    return;
                }
                let Some(next) = queues.next() else { return };
                queues.running += 1;
                next
            };
            // Sent without the lock: if the receiver is gone, the turn is dropped here and calls `serve` again.
            drop(next.send(Turn(self.clone())));
        }
    }

    fn lock(&self) -> MutexGuard<'_, Queues> {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl Place {
    /// Hashes a new password, unless it is too weak.
    pub(crate) async fn hash(&self, new: New<'_>) -> Result<String, Error> {
        let (field, password, about) = (new.field, new.password.to_owned(), new.about);
        self.run(move || check(field, &password, &about).and_then(|()| hashed(&password))).await?
    }

    /// Refuses a new password that is too weak, as `hash` does.
    pub(crate) async fn check(&self, new: New<'_>) -> Result<(), Error> {
        let (field, password, about) = (new.field, new.password.to_owned(), new.about);
        self.run(move || check(field, &password, &about)).await?
    }

    /// Whether the password has this hash. Without a hash the check takes as long, so that its time does not reveal accounts.
    pub(crate) async fn fits(&self, password: &str, hash: Option<&str>) -> Result<bool, Error> {
        /// The hash of a random token, which no password fits.
        static NOBODY: OnceLock<Result<String, Error>> = OnceLock::new();
        let (password, hash) = (password.to_owned(), hash.map(str::to_owned));
        self.run(move || {
            let nobody = NOBODY.get_or_init(|| hashed(&crm::api::key::token())).clone()?;
            let against = hash.as_deref().filter(|hash| !hash.is_empty()).unwrap_or(&nobody);
            let against = PasswordHash::new(against)
                .map_err(|_| store::corrupt("users", "password_hash", "", "is no hash of a password"))?;
            let fits = Argon2::default().verify_password(password.as_bytes(), &against).is_ok();
            Ok(fits && hash.is_some_and(|hash| !hash.is_empty()))
        })
        .await?
    }

    async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, Error> {
        let busy = || Error::Unavailable("too many passwords are waiting to be checked".into());
        let turn = tokio::time::timeout(TURN_TIMEOUT, self.turn()).await;
        let turn = turn.map_err(|_| busy())?.map_err(|_| busy())?;
        let done = tokio::task::spawn_blocking(move || {
            let done = work();
            drop(turn);
            done
        });
        done.await.map_err(|error| Error::Unavailable(error.to_string()))
    }

    /// Waits at the end of the client's queue.
    fn turn(&self) -> oneshot::Receiver<Turn> {
        let (sender, receiver) = oneshot::channel();
        {
            let mut queues = self.passwords.lock();
            if !queues.waiting.contains_key(&self.client) {
                queues.order.push_back(self.client.clone());
            }
            queues.waiting.entry(self.client.clone()).or_default().push_back(sender);
        }
        self.passwords.serve();
        receiver
    }
}

fn hashed(password: &str) -> Result<String, Error> {
    let hash = Argon2::default().hash_password(password.as_bytes());
    let hash: PasswordHash = hash.map_err(|error| store::Error::Internal(format!("argon2: {error}")))?;
    Ok(hash.to_string())
}

/// The rule for new passwords. Existing passwords stay valid.
fn check(field: &str, password: &str, about: &[String]) -> Result<(), Error> {
    if password.chars().count() < LEAST {
        return Err(invalid(field, format!("must have at least {LEAST} characters")));
    }
    let known = known_words(about);
    let mut unknown = password.to_lowercase();
    for word in &known {
        unknown = unknown.replace(word, "");
    }
    let guessable = |why: String| {
        let way_out = "use several unrelated words, or a password manager";
        Err(invalid(field, format!("is too easy to guess{why}; {way_out}")))
    };
    if unknown.chars().count() < LEAST_UNKNOWN {
        return guessable(" (it is little more than your name, address or workspace)".into());
    }
    let words: Vec<&str> = known.iter().map(String::as_str).collect();
    let characters: Vec<char> = password.chars().collect();
    let repeats = |period: usize| characters.iter().zip(&characters[period..]).all(|(first, next)| first == next);
    if (1..LEAST).any(repeats) {
        return guessable(" (it repeats a few characters)".into());
    }
    let pieces = characters.chunks(PIECE).map(|piece| zxcvbn::zxcvbn(&piece.iter().collect::<String>(), &words));
    let Some(strongest) = pieces.max_by_key(|piece| piece.score()) else { return guessable(String::new()) };
    if strongest.score() >= Score::Three {
        return Ok(());
    }
    let warning = strongest.feedback().and_then(|feedback| feedback.warning()).map(|warning| warning.to_string());
    guessable(warning.map_or(String::new(), |warning| {
        let (first, rest) = warning.split_at(warning.chars().next().map_or(0, char::len_utf8));
        format!(" ({}{})", first.to_lowercase(), rest.trim_end_matches('.'))
    }))
}

/// The texts about a password's owner and their words, in lower case, the longest first.
fn known_words(about: &[String]) -> Vec<String> {
    const MOST: usize = 50;
    let texts = about.iter().map(|text| text.to_lowercase());
    let mut words: Vec<String> = texts
        .flat_map(|text| {
            let words = text.split(|c: char| !c.is_alphanumeric()).map(str::to_owned);
            words.chain([text.clone()]).collect::<Vec<_>>()
        })
        .map(|word| word.chars().take(PIECE).collect())
        .filter(|word: &String| word.chars().count() > 2)
        .take(MOST)
        .collect();
    words.sort_by_key(|word| std::cmp::Reverse(word.len()));
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "correct horse battery";

    fn refused(password: &str) -> String {
        let about = ["ada.byron@example.com", "Ada", "Byron", "Difference Engines"].map(str::to_owned);
        match check("password", password, &about) {
            Err(error) => error.message(),
            Ok(()) => panic!("{password} was accepted"),
        }
    }

    #[test]
    fn a_new_password_is_long_and_hard_to_guess() {
        for short in ["", "short", "Xk9#vLq2!pZ"] {
            assert!(refused(short).contains("password: must have at least 12 characters"), "{short}");
        }
        for guessable in [
            "123456789012",
            "aaaaaaaaaaaa",
            "password1234",
            "Password12345!",
            "qwertyuiopas",
            "abcdefghijkl",
            "ada.byron@example.com",
            "AdaByron2026",
            "difference engines",
            "DifferenceEngines1",
            "111122223333",
        ] {
            assert!(refused(guessable).contains("is too easy to guess"), "{guessable}");
        }
        for good in [GOOD, "Xk9#vLq2!pZw", "plum teapot orbit", "зима лодка верёвка"] {
            assert_eq!(check("password", good, &[]), Ok(()), "{good}");
        }
    }

    #[test]
    fn the_longest_and_oddest_password_is_checked() {
        for awkward in ["a1", "Ab", "1990", "qwerty", "p@ssw0rd", "\u{10FFFF}", "\0", "l0ve"] {
            let password: String = awkward.chars().cycle().take(200).collect();
            let about = vec![password.clone(); 4];
            assert!(check("password", &password, &about).is_err(), "{awkward}");
        }
        // The estimate ends without an overflow for any password.
        let alphabet: Vec<char> = "aAbB14@$!|0oOeE3sS5zZ qwertyQWERTY123456789./-\u{e9}".chars().collect();
        let mut state = 1_u64;
        let mut random = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as usize
        };
        for _ in 0..300 {
            let (length, kinds) = (12 + random() % 60, 2 + random() % alphabet.len());
            let password: String = (0..length).map(|_| alphabet[random() % kinds.min(alphabet.len())]).collect();
            let about = vec![password.chars().take(30).collect::<String>(), password.to_uppercase()];
            drop(check("password", &password, &about));
            drop(check("password", &password, &[]));
        }
    }

    /// Takes all turns, then drops them one at a time and records which client gets the next.
    #[tokio::test]
    async fn clients_are_served_in_turn() {
        let passwords = Passwords::default();
        let place = |client: &str| passwords.admit(client).expect("room");
        let busy = [place("a"), place("a")];
        let mut running: VecDeque<Turn> = VecDeque::new();
        for place in &busy {
            running.push_back(place.turn().await.expect("a free turn"));
        }
        // A flood of one client, then two others.
        let clients = ["flood", "flood", "flood", "flood", "flood", "flood", "flood", "flood", "ada", "bob", "ada"];
        let places: Vec<Place> = clients.iter().map(|client| place(client)).collect();
        let mut waiting: Vec<_> = places.iter().map(|place| (place.client.clone(), place.turn())).collect();
        let mut served = Vec::new();
        while let Some(turn) = running.pop_front() {
            drop(turn);
            waiting.retain_mut(|(client, receiver)| match receiver.try_recv() {
                Ok(turn) => {
                    served.push(client.clone());
                    running.push_back(turn);
                    false
                }
                Err(_) => true,
            });
            assert!(running.len() <= AT_ONCE);
        }
        assert_eq!(served[..5], ["flood", "ada", "bob", "flood", "ada"]);
        assert_eq!(served.len(), clients.len());
        assert_eq!(passwords.lock().running, 0);
    }

    #[tokio::test]
    async fn a_flood_is_refused_at_once_and_others_are_admitted() {
        let passwords = Passwords::default();
        let mut flood: Vec<Place> = (0..PER_CLIENT).map(|_| passwords.admit("flood").expect("room")).collect();
        assert_eq!(passwords.admit("flood").map(|_| ()), Err(Error::Attempts { seconds: 1 }));
        let other = passwords.admit("ada").expect("room for others");
        let hash = hashed(GOOD).expect("a hash");
        assert_eq!(other.fits(GOOD, Some(&hash)).await, Ok(true));
        assert_eq!(other.fits("another", Some(&hash)).await, Ok(false));
        assert_eq!(other.fits(GOOD, None).await, Ok(false));
        // A password from before the rule is still valid.
        let old = hashed("password12").expect("a hash");
        assert_eq!(other.fits("password12", Some(&old)).await, Ok(true));
        flood.pop();
        assert!(passwords.admit("flood").is_ok());
        drop((flood, other));
        assert!(passwords.lock().present.is_empty());
    }

    /// A client that hangs up while it waits, or when its turn comes, does not block a turn.
    #[tokio::test]
    async fn a_turn_that_nobody_takes_goes_to_the_next() {
        let passwords = Passwords::default();
        let place = passwords.admit("a").expect("room");
        let first = [place.turn().await.expect("free"), place.turn().await.expect("free")];
        let (gone, mut late, mut last) = (place.turn(), place.turn(), place.turn());
        drop(gone);
        drop(first);
        // Both have their turns; one is dropped without being received.
        let turn = last.try_recv().expect("the second free turn");
        let mut next = place.turn();
        assert!(next.try_recv().is_err(), "two are running");
        late.close();
        drop(late);
        assert!(next.try_recv().is_ok());
        drop(turn);
    }
}
