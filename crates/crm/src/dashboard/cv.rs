//! Whether a contact has a CV: a screen asks it of everybody, so having none is an answer and no error.

use crate::cv::maybe;
use crate::member::Role;
use crate::operation::{Operation, get};

pub const OPERATIONS: &[Operation] =
    &[get("/contacts/{id}/cv", "dashboard_cv", "A contact's CV, or null").role(Role::Member).read(maybe)];
