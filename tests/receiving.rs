//! Receiving: incoming mails and messages, each matched and stored once, or listed with a reason.

use serde_json::{Value, json};

use crate::support::outside::{contact, lines};
use crate::support::*;

stories![
    a_reply_is_stored_in_its_thread_and_counts,
    an_out_of_office_mail_is_not_a_reply,
    a_bounce_marks_the_message_and_suppresses_the_address,
    a_complaint_ends_all_contact,
    a_forged_report_changes_nothing,
    a_mail_from_a_contact_starts_a_thread,
    every_mail_is_stored_or_listed_with_its_reason,
    a_new_uidvalidity_stores_nothing_twice,
    other_mails_with_a_known_message_id_are_not_lost,
    a_mail_that_was_moved_leaves_the_count_and_stays_stored,
    attachments_are_stored_and_downloaded,
    pictures_of_a_mail_are_found_by_their_content_id,
    attachments_without_storage_are_listed_with_the_reason,
    html_of_incoming_mail_is_safe_to_show,
    a_huge_mail_is_listed_and_others_are_stored,
    replies_by_network_and_chat_are_received,
    odd_mails_do_not_stop_the_next_one,
    a_webhook_needs_a_valid_signature,
    webhook_deliveries_of_a_provider_are_stored,
    somebody_in_copy_answers_for_themselves,
];

/// A mail to Ann's mailbox.
fn letter(from: &str, id: &str, subject: &str, more: &str) -> String {
    format!(
        "From: {from}\nTo: ann@example.com\nSubject: {subject}\nMessage-ID: <{id}@elsewhere.example>\nDate: Mon, 5 Jan 2026 10:00:00 +0000\n{more}\nHello Ann.\n"
    )
}

/// The first contact's conversation once it has received a message.
#[track_caller]
fn inbound(key: &Client, conversation: &str) -> Value {
    let path = format!("/conversations/{conversation}/messages?direction=inbound");
    eventually("a message that came", PATIENCE, || key.get(&path).page().rows.into_iter().next())
}

#[track_caller]
fn sent_to(key: &Client, contact: &str) -> Value {
    let body = json!({"contact_id": contact, "channel": "email", "subject": "Coffee?", "content": "Hello."});
    let sent = key.post("/messages", body).created();
    eventually("the mail", PATIENCE, || {
        Some(key.get(&format!("/messages/{}", text(&sent["id"]))).ok()).filter(|it| it["status"] != "queued")
    })
}

/// The account once its folder has so many mails and all of them are stored or listed.
#[track_caller]
fn counted(key: &Client, account: &str, in_folder: i64) -> Value {
    eventually("a folder with all mails stored or listed", PATIENCE, || {
        let account = key.get(&format!("/connected-accounts/{account}")).ok();
        let n = |name: &str| account[name].as_i64().unwrap_or(-1);
        let whole = n("mails_in_folder") == in_folder && n("mails_stored") + n("mails_unstored") == in_folder;
        whole.then_some(account)
    })
}

fn a_reply_is_stored_in_its_thread_and_counts(world: &World) {
    let script = "[[rules]]\naction = \"reply\"\nmatch = \"ada@example.com\"\ntext = \"Gladly!\"\n";
    let (outside, key) = (Outside::new(script), world.key("full_access"));
    outside.mailbox(world, "ann@example.com", &[]);
    let ada = contact(&key, "Ada", "ada@example.com");
    let sent = sent_to(&key, &ada);
    let thread = text(&sent["conversation_id"]);
    let reply = inbound(&key, &thread);
    assert_eq!(
        (&reply["status"], &reply["kind"], &reply["address"]),
        (&json!("received"), &json!("message"), &json!("ada@example.com"))
    );
    assert!(text(&reply["content"]).contains("Gladly!"), "{reply}");
    let conversation = key.get(&format!("/conversations/{thread}")).ok();
    assert_eq!(conversation["unread_count"], 1);
    assert_eq!(key.list("/conversations", &[("unread_count", "gt.0")]).page().ids(), [&*thread]);
    assert_eq!(key.get(&format!("/contacts/{ada}")).ok()["global_status"], "replied");
    let read = key.post(&format!("/conversations/{thread}/read"), json!({})).ok();
    assert_eq!(read["unread_count"], 0);
    assert!(key.get(&format!("/messages/{}", text(&reply["id"]))).ok()["read_at"].is_string());
    let types = key.get(&format!("/contacts/{ada}/timeline")).page().column("type");
    assert!(types.iter().filter(|kind| *kind == "message.created").count() == 2, "{types:?}");
    // The status never goes back, and never replaces qualified.
    key.put(&format!("/contacts/{ada}"), json!({"global_status": "qualified"})).ok();
    sent_to(&key, &ada);
    eventually("the next reply", PATIENCE, || {
        (key.list("/conversations", &[("unread_count", "1")]).page().total() == 1).then_some(())
    });
    assert_eq!(key.get(&format!("/contacts/{ada}")).ok()["global_status"], "qualified");
}

fn an_out_of_office_mail_is_not_a_reply(world: &World) {
    let script = "[[rules]]\naction = \"out_of_office\"\nmatch = \"ada@example.com\"\nuntil = \"2030-01-15\"\n";
    let (outside, key) = (Outside::new(script), world.key("full_access"));
    outside.mailbox(world, "ann@example.com", &[]);
    let ada = contact(&key, "Ada", "ada@example.com");
    let sent = sent_to(&key, &ada);
    let thread = text(&sent["conversation_id"]);
    assert_eq!(inbound(&key, &thread)["kind"], "out_of_office");
    assert_eq!(key.get(&format!("/contacts/{ada}")).ok()["global_status"], "contacted");
    assert_eq!(key.get(&format!("/conversations/{thread}")).ok()["unread_count"], 0);
}

fn a_bounce_marks_the_message_and_suppresses_the_address(world: &World) {
    let script = "[[rules]]\naction = \"bounce\"\nlater = true\nhard = true\nmatch = \"gone@example.com\"\n";
    let (outside, key) = (Outside::new(script), world.key("full_access"));
    outside.mailbox(world, "ann@example.com", &[]);
    let gone = contact(&key, "Gone", "gone@example.com");
    let sent = sent_to(&key, &gone);
    let path = format!("/messages/{}", text(&sent["id"]));
    let message =
        eventually("the bounce", PATIENCE, || Some(key.get(&path).ok()).filter(|it| it["status"] == "failed"));
    assert!(text(&message["error"]).starts_with("bounced: "), "{message}");
    assert_eq!(inbound(&key, &text(&sent["conversation_id"]))["kind"], "bounce");
    assert_eq!(key.get(&format!("/contacts/{gone}")).ok()["global_status"], "contacted");
    let suppressed = key.get("/suppressions").page().rows;
    assert_eq!((&suppressed[0]["address"], &suppressed[0]["reason"]), (&json!("gone@example.com"), &json!("bounced")));
}

fn a_complaint_ends_all_contact(world: &World) {
    let script = "[[rules]]\naction = \"complaint\"\nmatch = \"ada@example.com\"\n";
    let (outside, key) = (Outside::new(script), world.key("full_access"));
    outside.mailbox(world, "ann@example.com", &[]);
    let ada = contact(&key, "Ada", "ada@example.com");
    let sent = sent_to(&key, &ada);
    assert_eq!(inbound(&key, &text(&sent["conversation_id"]))["kind"], "complaint");
    assert_eq!(key.get(&format!("/contacts/{ada}")).ok()["do_not_contact"], true);
    let reasons = member(&json!(key.get("/suppressions").page().rows), "reason");
    assert_eq!(reasons, ["complained"]);
}

/// A delivery status notification (RFC 3464) that names these recipients as failed, with a copy of the headers of the
/// original.
fn bounce_report(id: &str, recipients: &[&str], original: &str) -> String {
    let failed: String = recipients
        .iter()
        .map(|to| format!("Final-Recipient: rfc822; {to}\nAction: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 5.1.1 no such user\n\n"))
        .collect();
    format!(
        "From: MAILER-DAEMON@mx.example.net\nTo: ann@example.com\nSubject: Undelivered Mail Returned to Sender\nMessage-ID: <{id}@mx.example.net>\nMIME-Version: 1.0\n\
         Content-Type: multipart/report; report-type=delivery-status; boundary=b\n\n--b\nContent-Type: text/plain\n\nIt could not be delivered.\n\
         --b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx.example.net\n\n{failed}--b\nContent-Type: text/rfc822-headers\n\n{original}\n--b--\n"
    )
}

/// A feedback report (RFC 5965) about a mail to this address.
pub(crate) fn complaint_report(id: &str, recipient: &str, original: &str) -> String {
    format!(
        "From: fbl@mx.example.net\nTo: ann@example.com\nSubject: FW: Coffee?\nMessage-ID: <{id}@mx.example.net>\nMIME-Version: 1.0\n\
         Content-Type: multipart/report; report-type=feedback-report; boundary=b\n\n--b\nContent-Type: text/plain\n\nSpam.\n\
         --b\nContent-Type: message/feedback-report\n\nFeedback-Type: abuse\nUser-Agent: x/1\nVersion: 1\nOriginal-Rcpt-To: {recipient}\n\n--b\nContent-Type: message/rfc822\n\n{original}\nHello.\n--b--\n"
    )
}

fn a_forged_report_changes_nothing(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    let account = outside.mailbox(world, "ann@example.com", &[]);
    let (ada, bob) = (contact(&key, "Ada", "ada@example.com"), contact(&key, "Bob", "bob@example.com"));
    let sent = sent_to(&key, &ada);
    // Another workspace wrote to Bob.
    let other = world.workspace("other");
    let their_key = other.key("full_access");
    let (smtp, zoe) = (outside.smtp("zoe@example.net"), "zoe@example.net");
    let add = ["accounts", "add", "--provider", "email", "--name", "Zoe", "--address", zoe, "--smtp", &smtp];
    world.run(&[&add[..], &["--workspace", "other"]].concat()).ok();
    sent_to(&their_key, &contact(&their_key, "Bob", "bob@example.com"));
    let original = |to: &str| {
        let id = outside.to(to)[0].message_id.clone().unwrap_or_default();
        format!("From: ann@example.com\nTo: {to}\nSubject: Coffee?\nMessage-ID: <{}>\n", id.trim_matches(['<', '>']))
    };
    let invented = |to: &str| format!("From: ann@example.com\nTo: {to}\nMessage-ID: <{}@example.com>\n", nobody());
    let daemon = "From: Mail Delivery System <MAILER-DAEMON@example.net>\nTo: ann@example.com\nSubject: Undelivered Mail Returned to Sender\n";
    let words = |id: &str, more: &str| {
        format!(
            "{daemon}Message-ID: <{id}@mx.example.net>\nAuto-Submitted: auto-replied\n{more}\nThis is the mail system at host mx.example.net.\n\n<bob@example.com>: 550 5.1.1 no such user\n"
        )
    };
    let forged = [
        bounce_report("1", &["bob@example.com"], "Subject: Coffee?\n"),
        bounce_report("2", &["ada@example.com"], &invented("ada@example.com")),
        // The Message-ID of a mail to another recipient, and one of another workspace.
        bounce_report("3", &["bob@example.com"], &original("ada@example.com")),
        bounce_report("4", &["bob@example.com"], &original("bob@example.com")),
        complaint_report("5", "bob@example.com", "Subject: Coffee?\n"),
        complaint_report("6", "ada@example.com", &invented("ada@example.com")),
        complaint_report("7", "bob@example.com", &original("ada@example.com")),
        complaint_report("8", "bob@example.com", &original("bob@example.com")),
        words("9", ""),
        words("10", "X-Failed-Recipients: bob@example.com\n"),
        // The report seems to come from the contact itself.
        bounce_report("11", &["bob@example.com"], &invented("bob@example.com"))
            .replace("MAILER-DAEMON@mx.example.net", "bob@example.com"),
    ];
    for mail in &forged {
        outside.deliver("ann@example.com", mail);
    }
    let shown = counted(&key, &account, forged.len() as i64);
    assert_eq!(shown["mails_unstored"], forged.len());
    let reasons = key.get(&format!("/connected-accounts/{account}/unstored")).page().column("reason");
    assert!(
        reasons.iter().all(|reason| reason.contains("this workspace sent no such mail to the address it names")),
        "{reasons:?}"
    );
    assert!(reasons.iter().filter(|reason| reason.contains("complains about a mail")).count() == 4, "{reasons:?}");
    let unchanged = |contact: &str| {
        assert_eq!(key.get(&format!("/contacts/{contact}")).ok()["do_not_contact"], false);
    };
    unchanged(&ada);
    unchanged(&bob);
    assert_eq!(key.get("/suppressions").page().total(), 0);
    assert_eq!(key.get(&format!("/messages/{}", text(&sent["id"]))).ok()["status"], "sent");
    assert_eq!(key.get("/conversations").page().total(), 1);
    assert_eq!(their_key.get("/suppressions").page().total(), 0);
    // The recipient of a mail can report that mail, but not for other addresses.
    outside.deliver(
        "ann@example.com",
        &bounce_report("12", &["bob@example.com", "ADA@example.com"], &original("ada@example.com")),
    );
    let path = format!("/messages/{}", text(&sent["id"]));
    eventually("the bounce", PATIENCE, || (key.get(&path).ok()["status"] == "failed").then_some(()));
    assert_eq!(key.get("/suppressions").page().column("address"), ["ada@example.com"]);
    outside.deliver("ann@example.com", &complaint_report("13", "ada@example.com", &original("ada@example.com")));
    eventually("the complaint", PATIENCE, || {
        (key.get(&format!("/contacts/{ada}")).ok()["do_not_contact"] == true).then_some(())
    });
    unchanged(&bob);
}

fn a_mail_from_a_contact_starts_a_thread(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    let account = outside.mailbox(world, "ann@example.com", &[]);
    let ada = contact(&key, "Ada", "ada@example.com");
    outside.deliver("ann@example.com", &letter("Ada <ADA@example.com>", "1", "A question", ""));
    counted(&key, &account, 1);
    let threads = key.get(&format!("/contacts/{ada}/conversations")).page().rows;
    assert_eq!(threads.len(), 1);
    assert_eq!((&threads[0]["subject"], &threads[0]["unread_count"]), (&json!("A question"), &json!(1)));
    let message = inbound(&key, &text(&threads[0]["id"]));
    assert_eq!(message["sent_at"], "2026-01-05T10:00:00.000Z");
    // That is long before the account was connected, so the mail says nothing about the contact's present status.
    let status = || key.get(&format!("/contacts/{ada}")).ok()["global_status"].clone();
    assert_eq!(status(), "new");
    outside.deliver("ann@example.com", "From: ada@example.com\nTo: ann@example.com\nSubject: RE: A question\nMessage-ID: <now@elsewhere.example>\n\nHello?\n");
    counted(&key, &account, 2);
    assert_eq!(status(), "replied");
    // An answer without references is matched by its subject; another subject starts another thread.
    outside.deliver("ann@example.com", &letter("ada@example.com", "2", "RE: A question", ""));
    outside.deliver("ann@example.com", &letter("ada@example.com", "3", "Something else", ""));
    // An answer from another address is matched by its thread.
    outside.deliver(
        "ann@example.com",
        &letter("zoe@example.net", "4", "Re: A question", "In-Reply-To: <1@elsewhere.example>\n"),
    );
    counted(&key, &account, 5);
    let threads = key.get(&format!("/contacts/{ada}/conversations?sort=created_at")).page();
    assert_eq!(threads.column("subject"), ["A question", "Something else"]);
    assert_eq!(threads.rows[0]["unread_count"], 4);
}

fn every_mail_is_stored_or_listed_with_its_reason(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    contact(&key, "Ada", "ada@example.com");
    outside.deliver("ann@example.com", &letter("ada@example.com", "1", "Hi", ""));
    outside.deliver("ann@example.com", &letter("sender@example.net", "2", "Buy!", ""));
    outside.deliver("ann@example.com", &letter("ann@example.com", "3", "To myself", ""));
    outside.deliver("ann@example.com", "Subject: nobody\n\nThis has no sender.\n");
    outside.deliver("ann@example.com", "\u{1}\u{2}not a mail at all");
    // The same mail again, as some servers deliver it.
    outside.deliver("ann@example.com", &letter("ada@example.com", "1", "Hi", ""));
    let account = outside.mailbox(world, "ann@example.com", &[]);
    let shown = counted(&key, &account, 6);
    assert_eq!((&shown["mails_stored"], &shown["mails_unstored"]), (&json!(2), &json!(4)));
    let listed = key.get(&format!("/connected-accounts/{account}/unstored")).page();
    assert_eq!(listed.total(), 4);
    let of = |sender: &str| listed.rows.iter().find(|mail| mail["sender"] == sender).expect("listed")["reason"].clone();
    assert_eq!(of("sender@example.net"), "no contact has this address");
    assert_eq!(of("ann@example.com"), "it is from an account of the workspace itself");
    let unsigned = listed.rows.iter().filter(|mail| mail["reason"] == "it does not say which address it is from");
    assert_eq!(unsigned.count(), 2);
    assert_eq!(key.get("/conversations").page().total(), 1, "no mail from unknown senders is stored");
    world.key("sourcing:read").get(&format!("/connected-accounts/{account}/unstored")).error(403, "insufficient_scope");
    // A later mail is noticed without a request.
    outside.deliver("ann@example.com", &letter("other@example.net", "9", "News", ""));
    counted(&key, &account, 7);
}

/// Some programs use one Message-ID for all their mails, and whoever knows one can send it first.
fn other_mails_with_a_known_message_id_are_not_lost(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    contact(&key, "Ada", "ada@example.com");
    contact(&key, "Bob", "bob@example.com");
    let account = outside.mailbox(world, "ann@example.com", &[]);
    let mail = |from: &str, subject: &str, words: &str| {
        outside.deliver(
            "ann@example.com",
            &format!("From: {from}\nTo: ann@example.com\nSubject: {subject}\nMessage-ID: <same@elsewhere.example>\n\n{words}\n"),
        )
    };
    mail("ada@example.com", "Hi", "First words");
    counted(&key, &account, 1);
    // Of somebody else, about something else, with another text, and the first one again.
    mail("bob@example.com", "Hi", "Words of Bob");
    mail("ada@example.com", "Offer", "Second words");
    mail("ada@example.com", "Hi", "Third words");
    mail("ada@example.com", "Hi", "First words");
    let shown = counted(&key, &account, 5);
    assert_eq!((&shown["mails_stored"], &shown["mails_unstored"]), (&json!(4), &json!(1)));
    let mut contents = key.get("/messages?direction=inbound").page().column("content");
    contents.sort();
    assert_eq!(contents, ["First words", "Second words", "Words of Bob"]);
    let listed = key.get(&format!("/connected-accounts/{account}/unstored")).page().rows;
    let reason = "a mail with the same Message-ID, sender and subject is stored already, with another text";
    assert_eq!((&listed[0]["reason"], &listed[0]["sender"]), (&json!(reason), &json!("ada@example.com")));
}

fn a_new_uidvalidity_stores_nothing_twice(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    let ada = contact(&key, "Ada", "ada@example.com");
    let account = outside.mailbox(world, "ann@example.com", &[]);
    outside.deliver("ann@example.com", &letter("ada@example.com", "1", "Hi", ""));
    outside.deliver("ann@example.com", &letter("sender@example.net", "2", "Buy!", ""));
    counted(&key, &account, 2);
    assert!(outside.sandbox.renumber("ann@example.com", "INBOX"));
    outside.deliver("ann@example.com", &letter("ada@example.com", "3", "Again", ""));
    let shown = counted(&key, &account, 3);
    assert_eq!((&shown["mails_stored"], &shown["mails_unstored"]), (&json!(2), &json!(1)));
    assert_eq!(key.get(&format!("/contacts/{ada}/conversations")).page().total(), 2);
    assert_eq!(key.get(&format!("/connected-accounts/{account}/unstored")).page().total(), 1);
}

fn a_mail_that_was_moved_leaves_the_count_and_stays_stored(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    let ada = contact(&key, "Ada", "ada@example.com");
    let account = outside.mailbox(world, "ann@example.com", &[]);
    let moved = outside.deliver("ann@example.com", &letter("ada@example.com", "1", "Hi", ""));
    let stranger = outside.deliver("ann@example.com", &letter("sender@example.net", "2", "Buy!", ""));
    counted(&key, &account, 2);
    assert!(outside.sandbox.remove("ann@example.com", "INBOX", moved));
    assert!(outside.sandbox.remove("ann@example.com", "INBOX", stranger));
    let shown = counted(&key, &account, 0);
    assert_eq!((&shown["mails_stored"], &shown["mails_unstored"]), (&json!(0), &json!(0)));
    assert_eq!(key.get(&format!("/contacts/{ada}/conversations")).page().total(), 1, "the message stays");
    assert_eq!(key.get(&format!("/connected-accounts/{account}/unstored")).page().total(), 0);
}

fn attachments_are_stored_and_downloaded(world: &World) {
    let script =
        "[[rules]]\naction = \"reply\"\nmatch = \"ada@example.com\"\ntext = \"See the file.\"\nattachment = 20000\n";
    let (outside, key) = (Outside::new(script), world.key("full_access"));
    outside.mailbox(world, "ann@example.com", &[]);
    let ada = contact(&key, "Ada", "ada@example.com");
    let sent = sent_to(&key, &ada);
    let reply = inbound(&key, &text(&sent["conversation_id"]));
    let attached = reply["attachments"].as_array().cloned().unwrap_or_default();
    assert_eq!(attached.len(), 1, "{reply}");
    assert_eq!(attached[0]["size"], 20_000);
    let path = text(&attached[0]["path"]);
    let file = key.get(&path);
    file.is(200);
    assert!(file.header("Content-Disposition").starts_with("attachment"), "{file}");
    assert_eq!(file.number("Content-Length"), 20_000);
    world.key("contacts:read").get(&path).error(403, "insufficient_scope");
    world.workspace("other").key("full_access").get(&path).not_found();
    key.get(&format!("/messages/{}/attachments/{}", text(&reply["id"]), nobody())).not_found();
}

fn pictures_of_a_mail_are_found_by_their_content_id(world: &World) {
    let script = "[[rules]]\naction = \"reply\"\nmatch = \"ada@example.com\"\ntext = \"See.\"\n\
        html = \"<p>See <img src='cid:logo@example.com'></p>\"\npicture = \"logo@example.com\"\nattachment = 10\n";
    let (outside, key) = (Outside::new(script), world.key("full_access"));
    outside.mailbox(world, "ann@example.com", &[]);
    let ada = contact(&key, "Ada", "ada@example.com");
    let sent = sent_to(&key, &ada);
    let reply = inbound(&key, &text(&sent["conversation_id"]));
    assert_eq!(reply["html"], "<p>See <img data-src=\"cid:logo@example.com\"></p>");
    let files = reply["attachments"].as_array().cloned().unwrap_or_default();
    let ids: Vec<&Value> = files.iter().map(|file| &file["content_id"]).collect();
    assert_eq!(ids, [&Value::Null, &json!("logo@example.com")], "{files:?}");
    assert_eq!(files[1]["content_type"], "image/png");
    key.get(&text(&files[1]["path"])).is(200);
}

fn attachments_without_storage_are_listed_with_the_reason(world: &World) {
    let script =
        "[[rules]]\naction = \"reply\"\nmatch = \"ada@example.com\"\ntext = \"See the file.\"\nattachment = 20000\n";
    let (outside, key) = (Outside::new(script), world.key("full_access"));
    world.set(&["--storage-limit", "19999B"]);
    outside.mailbox(world, "ann@example.com", &[]);
    let ada = contact(&key, "Ada", "ada@example.com");
    let sent = sent_to(&key, &ada);
    let reply = inbound(&key, &text(&sent["conversation_id"]));
    assert!(text(&reply["content"]).contains("See the file."), "{reply}");
    let attached = reply["attachments"].as_array().cloned().unwrap_or_default();
    assert_eq!(attached.len(), 1, "{reply}");
    assert_eq!(attached[0]["size"], 20_000);
    assert!(text(&attached[0]["left_out"]).contains("no storage left"), "{reply}");
    key.get(&text(&attached[0]["path"])).not_found();
}

fn html_of_incoming_mail_is_safe_to_show(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    let account = outside.mailbox(world, "ann@example.com", &[]);
    contact(&key, "Ada", "ada@example.com");
    let mail = "From: ada@example.com\nTo: ann@example.com\nSubject: Hi\nMessage-ID: <h@elsewhere.example>\nContent-Type: text/html; charset=utf-8\n\n\
        <p onclick=\"x()\">Hello <b>Ann</b></p><script>alert(1)</script><iframe src=\"https://example.net\"></iframe>\n";
    outside.deliver("ann@example.com", mail);
    counted(&key, &account, 1);
    let thread = key.get("/conversations").page().ids().remove(0);
    let message = inbound(&key, &thread);
    let html = text(&message["html"]);
    assert!(html.contains("<b>Ann</b>"), "{html}");
    for evil in ["onclick", "script", "iframe", "alert"] {
        assert!(!html.contains(evil), "{html}");
    }
    assert!(text(&message["content"]).contains("Hello"), "{message}");
}

fn a_huge_mail_is_listed_and_others_are_stored(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    let account = outside.mailbox(world, "ann@example.com", &[]);
    contact(&key, "Ada", "ada@example.com");
    let huge = format!("{}{}", letter("ada@example.com", "1", "Big", ""), "x".repeat(70).repeat(500_000));
    outside.deliver("ann@example.com", &huge);
    outside.deliver("ann@example.com", &letter("ada@example.com", "2", "Small", ""));
    counted(&key, &account, 2);
    let threads = key.get("/conversations").page().rows;
    let thread = |subject: &str| text(&threads.iter().find(|it| it["subject"] == subject).expect("it came")["id"]);
    assert_eq!(text(&inbound(&key, &thread("Small"))["content"]).trim(), "Hello Ann.");
    let note = text(&inbound(&key, &thread("Big"))["content"]);
    assert!(note.contains("MB"), "{note}");
    let listed = key.get(&format!("/connected-accounts/{account}/unstored")).page().rows;
    assert_eq!(listed.len(), 1);
    assert!(text(&listed[0]["reason"]).contains("larger than"), "{}", listed[0]);
}

fn replies_by_network_and_chat_are_received(world: &World) {
    let script = "[[rules]]\naction = \"reply\"\nmatch = \"*\"\ntext = \"Hello back.\"\n";
    let (outside, key) = (Outside::new(script), world.key("full_access"));
    outside.provider(world, "chat");
    outside.provider(world, "network");
    let body = json!({"first_name": "Ada", "phone": "+44 20 7946 0001", "network_profile": "https://network.example.com/in/ada"});
    let ada = text(&key.post("/contacts", body).created()["id"]);
    for channel in ["chat", "network"] {
        let body = json!({"contact_id": ada, "channel": channel, "content": "Hello."});
        let sent = key.post("/messages", body).created();
        let thread = text(&sent["conversation_id"]);
        let reply = inbound(&key, &thread);
        assert_eq!((&reply["content"], &reply["channel"]), (&json!("Hello back."), &json!(channel)));
        assert_eq!(key.get(&format!("/conversations/{thread}")).ok()["unread_count"], 1);
    }
    assert_eq!(key.get(&format!("/contacts/{ada}")).ok()["global_status"], "replied");
}

fn a_webhook_needs_a_valid_signature(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    let account = outside.provider(world, "chat");
    let workspace = text(&key.get("/me").ok()["workspace"]["id"]);
    let body = json!({"events": []});
    let post = |path: String| {
        let hook = world.stranger();
        let now = now().as_second().to_string();
        let request = hook.visit(&path).method("POST").header("webhook-id", "1").header("webhook-timestamp", &now);
        request.header("webhook-signature", "v1,AAAA").json(&body).send()
    };
    let answer = post(format!("/hooks/accounts/{workspace}/{account}"));
    assert_eq!(answer.status, 401, "{answer}");
    assert!(answer.text().contains("webhook-signature"), "{answer}");
    for path in [format!("/hooks/accounts/{workspace}/{}", nobody()), "/hooks/accounts/1/2".to_owned()] {
        assert_eq!(post(path).status, 404);
    }
}

fn webhook_deliveries_of_a_provider_are_stored(world: &World) {
    let script = "[[rules]]\naction = \"reply\"\nmatch = \"*\"\ntext = \"Hello back.\"\nafter = 0.1\n";
    let (outside, key) = (Outside::new(script), world.key("full_access"));
    world.stop();
    world.start_by(&format!("exec \"$@\" --public-url {}", world.origin()));
    outside.provider(world, "chat");
    let ada = text(&key.post("/contacts", json!({"first_name": "Ada", "phone": "+44 20 7946 0001"})).created()["id"]);
    let heard = || {
        let hooks = world.log().lines().filter(|line| line.contains("\"operation\":\"hook\"")).count();
        (hooks > 0).then_some(())
    };
    let mut sent = 0;
    eventually("an event delivered by the provider", PATIENCE, || {
        // The provider learns the webhook's address a moment after the account was added.
        sent += 1;
        let body = json!({"contact_id": ada, "channel": "chat", "content": "Hello."});
        key.post("/messages", body).created();
        pause();
        heard()
    });
    let thread = key.get("/conversations").page().ids().remove(0);
    // Each event is delivered and polled, but stored once.
    eventually("all replies", PATIENCE, || {
        let received = key.get(&format!("/conversations/{thread}/messages?direction=inbound")).page().total();
        assert!(received <= sent, "{received} replies to {sent} messages");
        (received == sent).then_some(())
    });
}

fn odd_mails_do_not_stop_the_next_one(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    let account = outside.mailbox(world, "ann@example.com", &[]);
    let ada = contact(&key, "Ada", "ada@example.com");
    let sent = sent_to(&key, &ada);
    // A copy to the sender in the thread is not a reply.
    let own = outside.to("ada@example.com")[0].message_id.clone().unwrap_or_default();
    let own = own.trim_matches(['<', '>']).to_owned();
    let answers = format!("In-Reply-To: <{own}>\n");
    outside.deliver("ann@example.com", &letter("ann@example.com", "copy", "Re: Coffee?", &answers));
    let mails = [
        letter("ada@example.com", "n\0ul", "With\0out end\0", ""),
        letter("\0ada@example.com", "nul2", "x", ""),
        letter("ada@example.com", &"long".repeat(2000), &"subject ".repeat(5000), ""),
        letter(
            "ada@example.com",
            "deep",
            "x",
            &format!("Content-Type: multipart/mixed; boundary=a\n{}", "--a\n".repeat(3000)),
        ),
        letter("=?utf-8?q?=00?= <ada@example.com>", "enc", "=?utf-8?q?=00=01?=", ""),
        format!("From: ada@example.com\n{}", "X: y\n".repeat(20_000)),
        letter("ada@example.com", "last", "The last one", ""),
    ];
    for mail in &mails {
        outside.deliver("ann@example.com", mail);
    }
    counted(&key, &account, 8);
    let threads = key.get(&format!("/contacts/{ada}/conversations?sort=created_at")).page();
    assert!(threads.rows.iter().any(|thread| thread["subject"] == "The last one"), "{:?}", threads.rows);
    assert_eq!(threads.rows[0]["id"], sent["conversation_id"]);
    assert_eq!(threads.rows[0]["unread_count"], 0, "a copy to the sender counted as a reply");
}

fn somebody_in_copy_answers_for_themselves(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    outside.mailbox(world, "ann@example.com", &[]);
    let (vera, cleo) = (contact(&key, "Vera", "vera@example.com"), contact(&key, "Cleo", "cleo@example.com"));
    let body = json!({
        "contact_id": vera, "channel": "email", "subject": "Offer", "content": "Hello", "cc": ["Cleo@example.com"],
    });
    let sent = key.post("/messages", body).created();
    let reference = eventually("the mail", PATIENCE, || {
        let mail = lines(outside.to("vera@example.com").first()?);
        mail.lines().find_map(|line| line.strip_prefix("Message-ID: ")).map(str::to_owned)
    });
    let answer = |from: &str, id: &str, words: &str| {
        let mail = format!(
            "From: {from}\nTo: ann@example.com\nSubject: Re: Offer\nMessage-ID: <{id}@e.example>\nIn-Reply-To: {reference}\n\n{words}\n"
        );
        outside.deliver("ann@example.com", &mail);
    };
    answer("cleo@example.com", "1", "I am Cleo.");
    let threads = |id: &str| key.get(&format!("/contacts/{id}/conversations")).page();
    eventually("the answer of Cleo", PATIENCE, || (threads(&cleo).total() == 1).then_some(()));
    assert_eq!(threads(&cleo).rows[0]["subject"], "Re: Offer");
    let status = |id: &str| text(&key.get(&format!("/contacts/{id}")).ok()["global_status"]);
    assert_eq!((status(&cleo), status(&vera)), ("replied".into(), "contacted".into()));
    let of_vera = format!("/conversations/{}/messages?direction=inbound", text(&sent["conversation_id"]));
    assert_eq!(key.get(&of_vera).page().total(), 0);
    // An address that nobody has may be another one of the contact.
    answer("vera.private@example.net", "2", "I am Vera.");
    eventually("the answer of Vera", PATIENCE, || (key.get(&of_vera).page().total() == 1).then_some(()));
    assert_eq!(status(&vera), "replied");
}
