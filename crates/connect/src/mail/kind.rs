//! What a mail is, from its headers and parts.

use mail_parser::Message;

use super::Kind;

pub fn of(_message: &Message<'_>, _text: &str) -> Kind {
    Kind::Human
}
