//! The CV of a contact for the dashboard, which requests it for every contact: no CV is null, not an error.

use super::answers::cv_schema;
use crate::api::operation::{Operation, get};
use crate::api::scope::Role;
use crate::records::cv::maybe;

pub const OPERATIONS: &[Operation] = &[get("/contacts/{id}/cv", "dashboard_cv", "A contact's CV, or null")
    .gives_object("ContactCv", cv_schema)
    .role(Role::Member)
    .read(maybe)];
