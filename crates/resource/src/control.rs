//! The controls of forms and tables.

/// The control that shows and edits a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Control {
    Text,
    LongText,
    Number,
    Money,
    Rating,
    Boolean,
    Date,
    Time,
    Choice,
    List,
    Tags,
    Url,
    Emails,
    Phones,
    /// A member of the workspace.
    Member,
    Company,
}

impl Control {
    pub fn word(self) -> &'static str {
        match self {
            Control::Text => "text",
            Control::LongText => "long_text",
            Control::Number => "number",
            Control::Money => "money",
            Control::Rating => "rating",
            Control::Boolean => "boolean",
            Control::Date => "date",
            Control::Time => "time",
            Control::Choice => "choice",
            Control::List => "list",
            Control::Tags => "tags",
            Control::Url => "url",
            Control::Emails => "emails",
            Control::Phones => "phones",
            Control::Member => "member",
            Control::Company => "company",
        }
    }
}
