//! Ordinary HTML, and what remains of HTML that exceeds a limit.

use untrusted_html::{is_html, plain_text, safe, safe_without_images, wrapped_text};

#[test]
fn ordinary_html_is_sanitised_and_converted() {
    assert!(is_html(" <p>") && !is_html("a <b"));
    let html = "<!DOCTYPE html><html><head><title>T</title><style>p{}</style></head><body onload=x><p>Hi <b>Ann</b>,\
        <!-- > --> 1 &lt; 2 <a href='https://example.com/?a=1&amp;b=2' onclick=x>see</a><img src=x.png></p><script>alert(1)</script></body></html>";
    let shown = safe(html);
    assert!(
        shown.contains("<b>Ann</b>")
            && shown.contains("1 &lt; 2")
            && shown.contains("href=\"https://example.com/?a=1&amp;b=2\""),
        "{shown}"
    );
    assert!(shown.contains("<img"), "{shown}");
    assert!(!safe_without_images(html).contains("<img"));
    for evil in ["script", "alert", "onclick", "onload", "p{}"] {
        assert!(!shown.contains(evil), "{evil}: {shown}");
    }
    assert_eq!(plain_text(html), "Hi Ann, 1 < 2 see");
    assert_eq!(wrapped_text("<p>Hi <b>Ann</b></p>"), "Hi **Ann**");
    assert_eq!(plain_text("<p>One<p>Two<ul><li>a<li>b</ul>"), "One\n\nTwo\n\n* a\n* b");
    assert_eq!(plain_text("a < b & c <3 x"), "a < b & c <3 x");
    assert_eq!(safe("<a href=javascript:alert(1)>x</a>"), "<a rel=\"noopener noreferrer nofollow\">x</a>");
}

#[test]
fn a_deep_thread_of_quotes_has_no_markup_in_its_text() {
    for levels in [30, 40, 150, 1_000] {
        let html = format!("{}Hello{}", "<blockquote>".repeat(levels), "</blockquote>".repeat(levels));
        let text = wrapped_text(&html);
        assert!(text.contains("Hello") && !text.contains("blockquote") && !text.contains("&lt;"), "{levels}: {text}");
    }
}

#[test]
fn of_what_exceeds_a_limit_the_words_remain() {
    let html = format!("{}<p>One &amp; <b>two</b></p><p>three</p>", "<b><div></b>".repeat(2_000));
    assert_eq!(plain_text(&html), "One & two\nthree");
    assert_eq!(safe(&html), "One &amp; two<br>\nthree");
}
