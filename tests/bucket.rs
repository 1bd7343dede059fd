//! Files in an S3-compatible bucket instead of the data folder.

use std::fs;

use serde_json::json;

use crate::cv::{contact, stored};
use crate::imports::import;
use crate::support::*;

stories![files_live_in_the_bucket, a_large_file_goes_in_parts, an_unreachable_bucket_makes_files_unavailable];

/// A server with the world's settings whose files are in the bucket.
fn serve(world: &World, bucket: &Bucket, secret: &str) -> Server {
    let config = world.file("relata.toml");
    let keys = format!("s3_access_key = \"{}\"\ns3_secret_key = \"{secret}\"\n", bucket::ACCESS_KEY);
    fs::write(&config, keys).expect("the settings can be written");
    let mut options = world.options();
    for (name, value) in [
        ("--files", "s3://relata/some/prefix"),
        ("--s3-endpoint", &bucket.endpoint),
        ("--s3-region", "eu-central-1"),
        ("--config", &config.display().to_string()),
    ] {
        options.extend([name.to_owned(), value.to_owned()]);
    }
    Server::start(free_port(), &options, &world.file("bucket.log"))
}

fn files_live_in_the_bucket(world: &World) {
    let key = world.key("crm");
    world.stop();
    let bucket = Bucket::start(&world.file("bucket"));
    let server = serve(world, &bucket, bucket::SECRET_KEY);
    let key = key.at(&server.origin());
    let (id, large) = (contact(&key), vec![b'x'; 10 << 20]);
    let cv = key.upload(&format!("/contacts/{id}/cv"), "cv.txt", &large).created();
    assert_eq!(cv["size"], large.len());
    assert_eq!(key.get(&format!("/contacts/{id}/cv/file")).body, large);
    assert_eq!(stored(world), 0, "no file is in the data folder");
    let objects = bucket.objects();
    assert!(objects.len() == 1 && objects[0].starts_with("some/prefix/"), "{objects:?}");

    key.upload(&format!("/contacts/{id}/cv"), "cv.txt", "Софья Ковалевская".as_bytes()).ok();
    let file = text(&key.upload(&format!("/contacts/{id}/files"), "a.bin", &[0, 1, 2]).created()["id"]);
    assert_eq!(key.get(&format!("/contacts/{id}/files/{file}/content")).body, [0, 1, 2]);
    eventually("the text is read out of the bucket", PATIENCE, || {
        (world.count("SELECT CAST(count(*) AS text) FROM cvs WHERE text LIKE '%Ковалевская%'") == 1).then_some(())
    });
    eventually("the first one is gone", PATIENCE, || (bucket.objects().len() == 2).then_some(()));
    assert_eq!(key.delete(&format!("/contacts/{id}/files/{file}")).ok(), json!({"deleted": true}));
    key.delete(&format!("/contacts/{id}/cv")).ok();
    eventually("nothing is left", PATIENCE, || bucket.objects().is_empty().then_some(()));
    assert!(!server.log().contains(bucket::SECRET_KEY));
}

fn a_large_file_goes_in_parts(world: &World) {
    let key = world.key("crm");
    world.stop();
    let bucket = Bucket::start(&world.file("bucket"));
    let server = serve(world, &bucket, bucket::SECRET_KEY);
    let key = key.at(&server.origin());
    // More than two parts of 8 MiB; the last part is smaller.
    let rows: String = (0..2200).map(|n| format!("P{n},{}\n", "x".repeat(9_000))).collect();
    let wanted = json!({"collection": "contacts", "dry_run": true});
    let done = import(&key, wanted, "large.csv", format!("first_name,summary\n{rows}"));
    assert_eq!((&done["status"], &done["created"], &done["failed"]), (&json!("completed"), &json!(2200), &json!(0)));
    assert_eq!(stored(world), 0, "no file is in the data folder");
    eventually("nothing is left", PATIENCE, || bucket.objects().is_empty().then_some(()));
}

fn an_unreachable_bucket_makes_files_unavailable(world: &World) {
    let key = world.key("crm");
    world.stop();
    let bucket = Bucket::start(&world.file("bucket"));
    let server = serve(world, &bucket, "another secret");
    let key = key.at(&server.origin());
    let id = contact(&key);
    key.upload(&format!("/contacts/{id}/cv"), "cv.txt", b"Ada").error(503, "unavailable");
    key.get(&format!("/contacts/{id}/cv")).not_found();
    assert_eq!(bucket.objects().len(), 0);
    // Other requests work, and the job that was recorded first will clean up.
    key.get("/contacts").page();
    assert_eq!(world.count("SELECT CAST(count(*) AS text) FROM jobs WHERE kind = 'drop_file'"), 1);
    assert!(!server.log().contains("another secret"));
}
