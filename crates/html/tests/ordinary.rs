//! Ordinary HTML, and the words that remain of HTML that exceeds a limit.

use untrusted_html::{image_addresses, is_html, mail_text, plain_text, safe, safe_mail};

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
    assert!(!safe_mail(html).contains("<img"));
    for evil in ["script", "alert", "onclick", "onload", "p{}"] {
        assert!(!shown.contains(evil), "{evil}: {shown}");
    }
    assert_eq!(plain_text(html), "Hi Ann, 1 < 2 [see]");
    assert_eq!(plain_text("<p>One<p>Two<ul><li>a<li>b</ul>"), "One\n\nTwo\n* a\n* b");
    assert_eq!(plain_text("a < b & c <3 x"), "a < b & c <3 x");
    assert_eq!(safe("<a href=javascript:alert(1)>x</a>"), "<a rel=\"noopener noreferrer nofollow\">x</a>");
}

#[test]
fn images_of_a_mail_keep_their_address_aside() {
    let cases = [
        ("<img src='https://example.com/a.png?x=1&amp;y=2' alt=Logo>", "https://example.com/a.png?x=1&y=2"),
        ("<IMG SRC=\"HTTP://example.com/a&quot;b.png\">", "HTTP://example.com/a\"b.png"),
        ("<image src=https://example.com/c.png width=300>", "https://example.com/c.png"),
        ("<img data-src=https://example.com/evil src=https://example.com/good>", "https://example.com/good"),
    ];
    for (html, address) in cases {
        let shown = safe_mail(html);
        assert!(!shown.contains(" src="), "{shown}");
        assert_eq!(image_addresses(&shown), [address], "{shown}");
    }
    assert_eq!(safe_mail("<img src='cid:a@b' alt='A chart'>"), "<img data-src=\"cid:a@b\" alt=\"A chart\">");
    assert!(image_addresses("<img data-src='cid:a@b'>").is_empty(), "nothing to load from elsewhere");
    let long = format!("<img src=https://example.com/{}>", "x".repeat(2_000));
    for html in [
        "<img src=cid:a width=1>",
        "<img src=data:image/png;base64,AAAA>",
        "<img src=//example.com/a.png>",
        "<img src=' https://example.com/a.png'>",
        "<img src=https://example.com/a.png width=1>",
        "<img src=https://example.com/a.png height='0px' alt=x>",
        &long,
    ] {
        assert_eq!(safe_mail(&format!("<p>a</p>{html}")), "<p>a</p>", "{html}");
    }
    // Of a message of this installation, which is shown with `src`.
    assert_eq!(
        image_addresses(&safe("<img src=https://example.com/a.png><img src=/b.png>")),
        ["https://example.com/a.png"]
    );
    let many: String = (0..100).map(|at| format!("<img src=https://example.com/{at}.png>")).collect();
    assert_eq!(image_addresses(&safe_mail(&many)).len(), 60);
}

#[test]
fn a_mail_keeps_its_look_and_nothing_that_loads_or_covers() {
    let kept = [
        ("<p style='color: red; font-size:12pt'>x</p>", "<p style=\"color:red;font-size:12pt\">x</p>"),
        ("<font color=red face=Arial>x</font>", "<font color=\"red\" face=\"Arial\">x</font>"),
        ("<span style=\"color:rgb(1, 2, 3)\">x</span>", "<span style=\"color:rgb(1, 2, 3)\">x</span>"),
    ];
    for (html, shown) in kept {
        assert_eq!(safe_mail(html), shown);
    }
    let table = safe_mail("<table bgcolor=#eeeeee width=600><tr><td bgcolor=#fff onclick=x>y</td></tr></table>");
    assert!(table.contains("bgcolor=\"#eeeeee\"") && table.contains("<td bgcolor=\"#fff\">"), "{table}");
    for style in [
        "background:url(https://example.com/seen)",
        "background-image:url('https://example.com/seen')",
        "list-style:url(https://example.com/seen)",
        "position:fixed;top:0;left:0;z-index:9",
        "margin-top:-100px",
        "display:none",
        "behavior:url(x)",
        "-moz-binding:url(x)",
        "col\\6fr:red;width:expression(alert(1)",
        "opacity:0;transform:scale(9)",
    ] {
        let shown = safe_mail(&format!("<p style=\"{style}\">x</p>"));
        for evil in
            ["url", "example.com", "position", "margin", "display", "behavior", "binding", "opacity", "transform"]
        {
            assert!(!shown.contains(evil), "{style}: {shown}");
        }
    }
    let long = format!("<p style=\"{}\">x</p>", "color:red;".repeat(200));
    assert_eq!(safe_mail(&long), "<p>x</p>");
    // What members write has none.
    assert_eq!(safe("<p style='color:red'>x</p>"), "<p>x</p>");
}

#[test]
fn a_deep_thread_of_quotes_has_no_markup_in_its_text() {
    for levels in [30, 40, 150, 1_000] {
        let html = format!("{}Hello{}", "<blockquote>".repeat(levels), "</blockquote>".repeat(levels));
        let text = mail_text(&html).replace(['>', ' ', '\n'], "");
        assert!(text.contains("Hello") && !text.contains("blockquote") && !text.contains("&lt;"), "{levels}: {text}");
    }
}

#[test]
fn html_over_a_limit_is_reduced_to_words() {
    let html = format!("{}<p>One &amp; <b>two</b></p><p>three</p>", "<b><div></b>".repeat(2_000));
    assert_eq!(plain_text(&html), "One & two\nthree");
    assert_eq!(safe(&html), "One &amp; two<br>\nthree");
}

/// The stages before the libraries do not change ordinary HTML.
#[test]
fn ordinary_html_is_not_changed_by_the_first_stages() {
    let row = "<tr><td width=10>a<td colspan=2><font color=red>b</font></td><td>c &nbsp;&copy; d</td></tr>";
    for html in [
        "<p>a<p>b<br/>c<hr><h1>T</h1><ol start=3><li>x<li>y</ol><pre>  p\n q</pre>".to_owned(),
        format!("<table border=0><tbody>{}</table>", row.repeat(120)),
        format!(
            "<html><head><title>t</title></head><body class=x>{}</body></html>",
            "<div><p>Hi <o:p></o:p><b>x</b></p></div>\n".repeat(200)
        ),
        "<blockquote type=cite>On Mon <a href=mailto:a@example.com>A</a> wrote:<blockquote>x</blockquote></blockquote>"
            .to_owned(),
        "<ul><li>a<ul><li>b</ul><li><i>c<b>d</i>e</b></ul>text < 3 &amp; &unknown; &#8364;".to_owned(),
    ] {
        let config = html2text::config::plain_no_decorate().no_link_wrapping().allow_width_overflow();
        let direct = config.string_from_read(html.as_bytes(), 10_000).expect("text");
        assert_eq!(plain_text(&html), direct.trim(), "{html}");
        let mut sanitizer = ammonia::Builder::default();
        let direct = sanitizer.link_rel(Some("noopener noreferrer nofollow")).clean(&html).to_string();
        assert_eq!(safe(&html), direct, "{html}");
    }
}

#[test]
fn many_references_lose_no_character_and_keep_ordinary_markup() {
    // One text of 60 kB or more, of pieces that a cut at any place could divide.
    for piece in ["&amp;", "&eacute; ", "a&#x26;", "x & y\u{a0}", "&unknown "] {
        let html = format!("<p>{}</p>", piece.repeat(60_000 / piece.len()));
        let (shown, text) = (safe(&html), plain_text(&html));
        let count = |of: &str, in_it: &str| in_it.matches(of).count();
        assert!(!shown.contains("<!--") && !text.contains("<!--"), "{piece}");
        let number = 60_000 / piece.len();
        match piece {
            "&eacute; " => assert_eq!((count("é", &shown), count("é", &text)), (number, number)),
            "&unknown " => {
                assert_eq!((count("&amp;unknown", &shown), count("&unknown", &text)), (number, number))
            }
            _ => assert_eq!((count("&amp;", &shown), count("&", &text)), (number, number), "{piece}"),
        }
    }
    // A large table with a reference in each cell.
    let table = format!("<table>{}</table>", "<tr><td>a&nbsp;b &amp; c</td></tr>".repeat(20_000));
    assert_eq!(safe(&table).matches("<td>a&nbsp;b &amp; c</td>").count(), 20_000);
}

#[test]
fn the_text_of_a_mail_reads_as_if_it_was_typed() {
    let link = "<a href=\"https://example.com/a?b=1&amp;c=2\">our page</a>";
    for (html, text) in [
        ("<p>Hi <b>Ann</b> <i>there</i></p>".to_owned(), "Hi Ann there"),
        (format!("<p>See {link}.</p>"), "See our page (https://example.com/a?b=1&c=2)."),
        ("<a href=\"https://www.example.com/\">example.com</a>".to_owned(), "example.com"),
        ("<a href=\"mailto:ann@example.com\">ann@example.com</a>".to_owned(), "ann@example.com"),
        ("<a href=\"mailto:ann@example.com?subject=x\">Ann</a>".to_owned(), "Ann (ann@example.com)"),
        ("<a href=\"#top\">up</a> <a href=\"javascript:x\">run</a>".to_owned(), "up run"),
        ("<h1>Title</h1><p>One</p><p>Two<br>Three</p>".to_owned(), "Title\n\nOne\n\nTwo\nThree"),
        ("<ul><li>a<li>b</ul><ol><li>c<li>d</ol>".to_owned(), "- a\n- b\n1. c\n2. d"),
        ("<blockquote>old</blockquote>".to_owned(), "> old"),
        (format!("<p>{}</p>", "word ".repeat(50)), "word ".repeat(50).trim()),
        ("<table><tr><td>Ann</td></tr><tr><td>Sender</td></tr></table>".to_owned(), "Ann\nSender"),
        ("<p>a &#xFFF9;b&#xFFFA;c</p>".to_owned(), "a bc"),
        ("<p>a</p><hr><p>b</p>".to_owned(), "a\n\nb"),
    ] {
        assert_eq!(mail_text(&html), text, "{html}");
    }
}
