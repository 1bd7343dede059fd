//! Hostile HTML of any shape and size costs about as much as ordinary HTML of the same size.

use rustix::time::{ClockId, clock_gettime};
use untrusted_html::{mail_text, plain_text, safe, safe_mail};

/// Processor time of this thread in microseconds.
fn spent() -> i64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec * 1_000_000 + time.tv_nsec / 1000
}

/// A start, and a piece that is repeated up to a size, with the number of the repetition instead of `№`.
const SHAPES: &[(&str, &str)] = &[
    ("", "<b><div></b>"),
    ("", "<ul><li>"),
    ("", "<div>"),
    ("", "<blockquote>"),
    ("", "<blockquote>x</blockquote>"),
    ("", "<table><tr><td>"),
    ("", "<table>"),
    ("<table>", "<i></i>"),
    ("<table>", "x<tr>"),
    ("<table>", "<b><p></b>"),
    ("<table>", "<tr>"),
    ("<table><tr>", "<td>"),
    ("<table><tr>", "<td colspan=99 rowspan=99>x</td>"),
    ("<table>", "<tr><td rowspan=№>x"),
    ("<table>", "<tr><td colspan=№>x<td>y"),
    ("<table><tr><td>", "<td>x<br>y<br>z"),
    ("<table>", "<tr><td>a<td>b<td>c</tr>"),
    ("", "<b><p></b></p>"),
    ("", "<p><b id=№></p>"),
    ("", "<p><b title=№>x</p>"),
    ("<p><b title=0123456789012345678901234567890123456789012345678901234567890123456789>", "<p><i title=№>x</p>"),
    ("", "<a>"),
    ("", "<a href=http://example.com/№>x"),
    ("", "<font color=№>"),
    ("", "<nobr>"),
    ("", "<form>"),
    ("", "<form><div></form>"),
    ("", "<b></i>"),
    ("", "<i><b></i></b>"),
    ("", "<b><i><u><s><p></b></i></u></s>x"),
    ("", "<svg><math><mi>"),
    ("", "<svg><p>"),
    ("", "<math><annotation-xml encoding='text/html'><p>"),
    ("<svg>", "<![CDATA["),
    ("", "<!--"),
    ("", "<!-- -- >"),
    ("", "<!---->"),
    ("", "<!-- x -->y"),
    ("", "<![CDATA["),
    ("", "<?"),
    ("", "</"),
    ("", "<"),
    ("", "<a "),
    ("<a ", "a№ "),
    ("<a ", "a№='\"' "),
    ("<a ", "x=\"<\" "),
    ("", "<a title='\"\"\"\"\"\"\"\"'>"),
    ("<noscript><a title=\"</noscript><b ", "a№ "),
    ("", "&"),
    ("", "&amp"),
    ("", "&amp;"),
    ("", "&lt;b&gt;"),
    ("", "&lt"),
    ("", "&#65;"),
    ("", "&#38;"),
    ("", "&№x"),
    ("", "&xy "),
    ("", "&nbsp;"),
    ("", "\u{a0}"),
    ("", "§ "),
    ("", "&<br>"),
    ("<title>", "&"),
    ("<textarea>", "&amp;"),
    ("<a title='", "&"),
    ("<a title='>", "&"),
    ("<a href='https://example.com/?", "&a=№"),
    ("", "<a href='?a=1&b=2&c=3'>&"),
    ("<table>", "&<tr>"),
    ("<table>", "&nbsp;"),
    ("<table><tr><td>", "& x"),
    ("", "&#x41;"),
    ("", "&#99999999999999999999;"),
    ("", "&CounterClockwiseContourIntegral"),
    ("", "\0"),
    ("", "x"),
    ("", "x "),
    ("", "ü"),
    ("", "\u{301}"),
    ("", "<br>"),
    ("", "<hr>"),
    ("", "<img src=x alt=y>"),
    ("", "<title>"),
    ("", "<title></title"),
    ("", "<textarea>"),
    ("", "<textarea></textarea>"),
    ("", "<script>"),
    ("", "<script></script>"),
    ("", "<style><!--</style>"),
    ("", "<noscript>"),
    ("", "<iframe></iframe>"),
    ("", "<xmp></xmp>"),
    ("", "<plaintext>"),
    ("", "<template>"),
    ("", "<template></template>"),
    ("", "<select><option>"),
    ("", "<select><select>"),
    ("", "<frameset>"),
    ("<frameset>", "<div>"),
    ("", "<html a№=b>"),
    ("", "<body a№=b>"),
    ("", "<head>"),
    ("", "<object><b>"),
    ("", "<button>"),
    ("", "<button><p>"),
    ("", "<h1><h2>"),
    ("", "<dd><dt>"),
    ("", "<ruby><rt>"),
    ("", "<ol start=№><li>x"),
    ("<ol start=9223372036854775807>", "<li>x"),
    ("<ol>", "<li>x"),
    ("<ul>", "<li>x</li>"),
    ("<pre>", "x\n"),
    ("<pre>", "x\t"),
    ("", "<pre>"),
    ("", "<dl><dt>x<dd>y"),
    ("", "<sup>2</sup>"),
    ("", "<details><summary>"),
    ("", "<p>An ordinary line of <b>text</b>.</p>\n"),
    ("", "<p style='color: red; padding: 0'>x"),
    ("", "<td style=color:rgb((((((((((((((((((((((((((((((((((((((((>x"),
    ("<p style='color: ", "rgb("),
    ("<p style='", "color: red; "),
    ("<p style='", "}"),
    // Parsers repeat the `<b>` in each paragraph.
    (
        "<p><b style='color: rgb(10, 20, 30); border-top: 1px solid rgb(10, 20, 30); font-family: a, b, c, d, e, f'>",
        "<p>x",
    ),
    ("<p>", "<b style='color:#№;font-family:a b c d e f'><p>"),
];

type Use = fn(&str) -> String;

fn made(start: &str, piece: &str, size: usize) -> String {
    let mut html = start.to_owned();
    for at in 0_u32.. {
        if html.len() >= size {
            break;
        }
        html.push_str(&piece.replace('№', &at.to_string()));
    }
    html
}

#[test]
fn every_shape_costs_about_as_much_as_ordinary_html() {
    let uses: [(&str, Use); 4] =
        [("safe", safe), ("safe_mail", safe_mail), ("mail_text", mail_text), ("plain_text", plain_text)];
    let long = std::env::var_os("RELATA_LONG").is_some();
    let sizes: &[usize] = if long { &[1_000, 10_000, 100_000, 500_000, 2_000_000] } else { &[10_000, 20_000, 100_000] };
    let mut failures = Vec::new();
    for size in sizes.iter().copied() {
        let ordinary = made("", "<p>An ordinary <a href=\"https://example.com/\">line</a> of <b>text</b>.</p>\n", size);
        for (name, convert) in uses {
            let cost = |html: &str| {
                let from = spent();
                let made = convert(html);
                assert!(made.len() <= 40 * size + 100_000, "{name} gave {} bytes for {size}", made.len());
                spent() - from
            };
            let usual = cost(&ordinary).min(cost(&ordinary)) + 10_000;
            for (start, piece) in SHAPES {
                let mut html = made(start, piece, size);
                if start.contains('\'') {
                    html.push_str("'>x</a>");
                }
                let took = cost(&html);
                if took > 20 * usual {
                    failures.push(format!("{size} {name} {start}({piece})×n: {took} µs, ordinary {usual} µs"));
                }
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
