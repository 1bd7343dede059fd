//! How forms and tables show a field: its label, its control and its place. The API document carries this for the
//! dashboard, so that a field is described once.

use crate::control::Control;
use crate::{Field, Format, Kind};

/// A text that may have more characters gets several lines.
const LONGEST_LINE: usize = 2000;

impl Field {
    /// The label, if the field's name in plain words is not it.
    pub const fn label(mut self, label: &'static str) -> Self {
        self.label = Some(label);
        self
    }
    /// Forms and tables show it after this field, instead of at its place in the struct.
    pub const fn after(mut self, field: &'static str) -> Self {
        self.after = Some(field);
        self
    }
    pub const fn control(mut self, control: Control) -> Self {
        self.control = Some(control);
        self
    }
    /// Forms and tables do not offer it.
    pub const fn unlisted(mut self) -> Self {
        self.unlisted = true;
        self
    }
    /// Names of columns in files of other programs, separated by spaces: only letters and digits, in lower case and
    /// without accents.
    pub const fn synonyms(mut self, names: &'static str) -> Self {
        self.synonyms = names;
        self
    }

    /// The label in forms and tables: `last_contacted_at` is `Last contacted`.
    pub fn shown_label(&self) -> String {
        if let Some(label) = self.label {
            return label.to_owned();
        }
        let name = self.name.strip_suffix("_id").or_else(|| self.name.strip_suffix("_at")).unwrap_or(self.name);
        let words = name.replace('_', " ");
        words.chars().enumerate().map(|(at, c)| if at == 0 { c.to_ascii_uppercase() } else { c }).collect()
    }

    /// The control, by its kind if no other is given. References have one only if it is given.
    pub fn shown_control(&self) -> Option<Control> {
        self.control.or(match self.kind {
            Kind::Text if matches!(self.format, Format::Url | Format::Profile) => Some(Control::Url),
            Kind::Text if self.max > LONGEST_LINE && self.max != usize::MAX => Some(Control::LongText),
            Kind::Text => Some(Control::Text),
            Kind::Int | Kind::Number => Some(Control::Number),
            Kind::Bool => Some(Control::Boolean),
            Kind::Time => Some(Control::Time),
            Kind::Date => Some(Control::Date),
            Kind::Amount => Some(Control::Money),
            Kind::Choice(_) => Some(Control::Choice),
            Kind::Texts => Some(Control::List),
            Kind::Labels => Some(Control::Tags),
            Kind::Items([Field { format: Format::Email, .. }, ..]) => Some(Control::Emails),
            Kind::Items([Field { format: Format::Phone, .. }, ..]) => Some(Control::Phones),
            Kind::Items(_) | Kind::Id | Kind::Ids | Kind::Object | Kind::Part(_) => None,
        })
    }

    fn is_listed(&self) -> bool {
        !self.hidden && !self.unlisted && self.shown_control().is_some()
    }
}

/// The fields that forms and tables offer, in their order.
pub fn listed(fields: &'static [Field]) -> Vec<&'static Field> {
    fn place(field: &'static Field, fields: &'static [Field], order: &mut Vec<&'static Field>) {
        order.push(field);
        for next in fields.iter().filter(|next| next.after == Some(field.name)) {
            place(next, fields, order);
        }
    }
    let mut order = Vec::new();
    for field in fields.iter().filter(|field| field.after.is_none()) {
        place(field, fields, &mut order);
    }
    order.retain(|field| field.is_listed());
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIELDS: &[Field] = &[
        Field::of::<uuid::Uuid>("id", ""),
        Field::of::<String>("name", ""),
        Field::of::<String>("notes", "").max(10_000).after("owner_id"),
        Field::of::<Option<uuid::Uuid>>("owner_id", "").control(Control::Member),
        Field::of::<i64>("employee_count", "").label("Employees").after("name"),
        Field::of::<crate::Time>("closed_at", ""),
        Field::of::<String>("logo", "").unlisted(),
    ];

    #[test]
    fn fields_are_listed_in_their_order_with_labels() {
        let shown: Vec<(String, &str)> = listed(FIELDS)
            .into_iter()
            .map(|field| (field.shown_label(), field.shown_control().map_or("", Control::word)))
            .collect();
        let expected = [
            ("Name", "text"),
            ("Employees", "number"),
            ("Owner", "member"),
            ("Notes", "long_text"),
            ("Closed", "time"),
        ];
        assert_eq!(shown, expected.map(|(label, control)| (label.to_owned(), control)));
    }
}
