//! The definition of a field that a workspace adds.

crate::choices! {
    CustomType {
        Text = "text", Number = "number", Boolean = "boolean", Date = "date",
        Select = "select", MultiSelect = "multi_select", Url = "url",
    }
}

/// A field of the workspace.
pub struct Definition {
    pub key: String,
    /// The name that users see.
    pub label: String,
    pub r#type: CustomType,
    pub required: bool,
    /// Values of a `select` or `multi_select`.
    pub options: Vec<String>,
}
