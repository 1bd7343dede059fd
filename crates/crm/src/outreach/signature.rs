//! The signature at the end of an account's mails: above the quoted text of an answer.

use super::markup;
use super::quote::Reply;

/// A signature, as text and as HTML.
#[derive(Clone, Debug, PartialEq)]
pub struct Signature {
    pub text: String,
    pub html: String,
}

/// What quoted text begins with in the HTML of common mail programs, in lower case.
const QUOTES: &[&str] = &[
    "<div class=\"gmail_quote",
    "<div class=\"moz-cite-prefix",
    "<div id=\"appendonsend",
    "<div id=\"divrplyfwdmsg",
    "<blockquote",
];

impl Signature {
    /// A signature is HTML when it begins with `<`, else plain text. Conversion can take long, so that no transaction may be
    /// open.
    pub fn of(source: &str) -> Signature {
        match untrusted_html::is_html(source) {
            _ if source.trim().is_empty() => Signature { text: String::new(), html: String::new() },
            true => Signature { text: markup::mail_text(source), html: source.to_owned() },
            false => Signature { text: source.to_owned(), html: as_html(source) },
        }
    }

    /// A plain text with the signature.
    pub fn below_text(&self, text: &str) -> String {
        let Reply { own, quoted } = Reply::of(text);
        match quoted.filter(|_| !text.ends_with(own)) {
            None => format!("{}\n\n{}", text.trim_end(), self.text),
            Some(quoted) => format!("{own}\n\n{}\n\n{quoted}", self.text),
        }
    }

    /// HTML with the signature.
    pub fn below_html(&self, html: &str) -> String {
        // The same length in bytes.
        let lower = html.to_ascii_lowercase();
        let quoted = QUOTES.iter().filter_map(|quote| lower.find(quote)).min();
        let at = quoted.or_else(|| lower.rfind("</body>")).unwrap_or(html.len());
        format!("{}<br>\n{}\n{}", &html[..at], self.html, &html[at..])
    }
}

/// Plain text as HTML: its lines, and its links.
pub fn as_html(text: &str) -> String {
    let escape =
        |text: &str| text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;");
    let word = |word: &str| {
        let web = word.starts_with("http://") || word.starts_with("https://");
        let address = word.trim_end_matches(['.', ',', ')', ';', '!', '?']);
        let (address, rest) = (escape(address), escape(&word[address.len()..]));
        if web { format!("<a href=\"{address}\">{address}</a>{rest}") } else { escape(word) }
    };
    let line = |line: &str| line.split(' ').map(word).collect::<Vec<_>>().join(" ");
    format!("<p>{}</p>", text.lines().map(line).collect::<Vec<_>>().join("<br>\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_is_above_the_quoted_text() {
        let signature = Signature::of("Ann\nAster & Co");
        assert_eq!(signature.html, "<p>Ann<br>\nAster &amp; Co</p>");
        for (text, signed) in [
            ("Hello", "Hello\n\nAnn\nAster & Co"),
            ("Yes.\n\nOn Monday Ada wrote:\n> Well?", "Yes.\n\nAnn\nAster & Co\n\nOn Monday Ada wrote:\n> Well?"),
            ("Yes.\n> Well?\n", "Yes.\n\nAnn\nAster & Co\n\n> Well?\n"),
            ("> Well?\nYes.", "> Well?\nYes.\n\nAnn\nAster & Co"),
            ("Yes.\n-----Original-----\nFrom: Ada", "Yes.\n\nAnn\nAster & Co\n\n-----Original-----\nFrom: Ada"),
        ] {
            assert_eq!(signature.below_text(text), signed, "{text}");
        }
        let html = Signature::of("<b>Ann</b>");
        assert_eq!(html.text, "Ann");
        assert_eq!(html.below_html("<p>Hi</p>"), "<p>Hi</p><br>\n<b>Ann</b>\n");
        assert_eq!(
            html.below_html("<body><p>Hi</p><BLOCKQUOTE>x</BLOCKQUOTE></body>"),
            "<body><p>Hi</p><br>\n<b>Ann</b>\n<BLOCKQUOTE>x</BLOCKQUOTE></body>"
        );
        assert_eq!(html.below_html("<body>Hi</body>"), "<body>Hi<br>\n<b>Ann</b>\n</body>");
    }
}
