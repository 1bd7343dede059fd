//! Credits: the ledger of a workspace, as the operator reads it and the rules write it.

use std::sync::Arc;

use crm::tenant::credits::{self, Kind, Spent};
use resource::{Actor, Ctx, Error};
use store::{Lane, Mode, Place, Store, Tx};

use crate::support::*;

stories![
    the_operator_reads_the_ledger,
    spending_and_refunds_balance,
    no_more_than_the_balance_is_spent,
    a_ledger_that_does_not_balance_is_reported,
];

/// Direct access to a world's store for calling the service's rules.
struct Books {
    store: Store,
    ctx: Ctx,
    runtime: tokio::runtime::Runtime,
}

impl Books {
    fn of(world: &World) -> Books {
        let options = world.options();
        let place = match options.iter().position(|option| option == "--database-url") {
            Some(at) => Place::Postgres(options[at + 1].clone()),
            None => Place::Sqlite(world.data().join("relata.db")),
        };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        let store = Store::open(&place, Mode::Expect, &mut |_| Ok(())).expect("the store opens");
        let found = store.read(Lane::Slow, |tx| crm::tenant::workspace::called(tx, None));
        let workspace = runtime.block_on(found).expect("a workspace").id;
        let ctx = Ctx { workspace, actor: Actor::system("story"), memory: Arc::default() };
        Books { store, ctx, runtime }
    }

    fn write<T: Send + 'static>(
        &self,
        mut work: impl FnMut(&Ctx, &mut dyn Tx) -> Result<T, Error> + Send + 'static,
    ) -> T {
        let ctx = self.ctx.clone();
        let written = self.store.write(ctx.workspace, move |tx| work(&ctx, tx));
        self.runtime.block_on(written).expect("the write succeeds")
    }

    fn spend(&self, wanted: i64) -> Spent {
        self.write(move |ctx, tx| credits::spend(ctx, tx, Kind::Sourcing, wanted, "a search", ctx.workspace))
    }
}

/// The columns of the ledger that describe a movement: accounts, amount, balance after it.
#[track_caller]
fn moves(world: &World, kind: &str) -> Vec<[String; 4]> {
    let ran = world.run(&["workspace", "ledger", "--kind", kind]);
    let columns = |line: &str| -> Vec<String> { line.split('\t').map(str::to_owned).collect() };
    let lines = ran.ok().lines().map(columns);
    lines.map(|of| [of[2].clone(), of[3].clone(), of[4].clone(), of[5].clone()]).collect()
}

fn entry(debit: &str, credit: &str, amount: i64, balance: i64) -> [String; 4] {
    [debit.to_owned(), credit.to_owned(), amount.to_string(), balance.to_string()]
}

fn the_operator_reads_the_ledger(world: &World) {
    assert_eq!(moves(world, "sourcing"), [entry("held", "granted", 1000, 1000)]);
    world.run(&["workspace", "set", "--sourcing-credits", "40"]).ok();
    world.run(&["workspace", "set", "--sourcing-credits", "50", "--enrichment-credits", "0"]).ok();
    // Setting the current balance writes no entry.
    world.run(&["workspace", "set", "--sourcing-credits", "50"]).ok();
    let grown = [entry("held", "granted", 10, 50), entry("granted", "held", 960, 40)];
    assert_eq!(moves(world, "sourcing")[..2], grown);
    assert_eq!(moves(world, "sourcing").len(), 3);
    assert_eq!(moves(world, "enrichment")[0], entry("granted", "held", 1000, 0));
    let refused = world.run(&["workspace", "ledger", "--kind", "gold"]);
    assert!(refused.refused().contains("kind: must be one of sourcing, enrichment"), "{refused}");
    let most = "must be from 0 to 1000000000000";
    assert!(world.run(&["workspace", "set", "--sourcing-credits", "1000000000001"]).refused().contains(most));
}

fn spending_and_refunds_balance(world: &World) {
    let books = Books::of(world);
    let spent = books.spend(30);
    assert_eq!((spent.taken, spent.balance), (30, 970));
    let entry_id = spent.entry.expect("an entry");
    let refund = |amount: i64| books.write(move |ctx, tx| credits::refund(ctx, tx, entry_id, amount, "not delivered"));
    assert_eq!(refund(10), 10);
    // Never more than was spent, however often a refund is requested.
    assert_eq!(refund(25), 20);
    assert_eq!(refund(1), 0);
    let seen = moves(world, "sourcing");
    let expected = [entry("held", "spent", 20, 1000), entry("held", "spent", 10, 980), entry("spent", "held", 30, 970)];
    assert_eq!(seen[..3], expected);
    let ledger = world.run(&["workspace", "ledger"]);
    let refunds = ledger.ok().lines().filter(|line| line.ends_with(&entry_id.to_string())).count();
    assert_eq!(refunds, 2, "each refund names its entry: {ledger}");
    assert_eq!(world.count("SELECT CAST(count(*) AS text) FROM events WHERE type LIKE 'credits.%'"), 3);
    // The next page continues below the last number.
    let page = books.write(|ctx, tx| {
        let first = credits::entries(ctx, tx, Kind::Sourcing, None, 3)?;
        let rest = credits::entries(ctx, tx, Kind::Sourcing, first.last().map(|entry| entry.number), 3)?;
        Ok(first.into_iter().chain(rest).map(|entry| entry.number).collect::<Vec<_>>())
    });
    assert_eq!(page, [4, 3, 2, 1]);
}

fn no_more_than_the_balance_is_spent(world: &World) {
    let books = Books::of(world);
    world.run(&["workspace", "set", "--sourcing-credits", "100"]).ok();
    let taken: Vec<Spent> = at_once(16, |_| Books::of(world).spend(7));
    assert_eq!(taken.iter().map(|spent| spent.taken).sum::<i64>(), 100);
    assert_eq!(
        taken.iter().filter(|spent| spent.taken == 7).count(),
        14,
        "full amounts as long as there are enough credits"
    );
    let nothing = books.spend(1);
    assert_eq!((nothing.taken, nothing.balance, nothing.entry), (0, 0, None));
    assert_eq!(books.spend(-5).taken, 0);
    assert_eq!(world.key("crm").get("/me").ok()["credits"]["sourcing"], 0);
    assert_eq!(moves(world, "sourcing")[0][3], "0");
}

fn a_ledger_that_does_not_balance_is_reported(world: &World) {
    Books::of(world).spend(5);
    world.change("UPDATE ledger SET amount = 4 WHERE debit = 'spent'");
    let refused = world.run(&["workspace", "ledger"]);
    assert!(refused.refused().contains("sourcing credits: entry 1 does not lead to the one after it"), "{refused}");
    world.change("UPDATE ledger SET amount = 5 WHERE debit = 'spent'; UPDATE credit_accounts SET balance = balance + 1 WHERE account = 'held'");
    let refused = world.run(&["workspace", "ledger"]);
    assert!(refused.refused().contains("the account held has"), "{refused}");
}
