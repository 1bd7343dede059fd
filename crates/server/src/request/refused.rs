//! The reasons for an error answer.

use crate::request::envelope::Failure;
use resource::Error;

pub(crate) enum Refused {
    Error(Error),
    Failure(Failure),
    /// The method is not allowed. Contains the allowed methods.
    Method(String),
}
impl From<Error> for Refused {
    fn from(error: Error) -> Self {
        Refused::Error(error)
    }
}
impl From<store::Error> for Refused {
    fn from(error: store::Error) -> Self {
        Refused::Error(error.into())
    }
}
impl From<Failure> for Refused {
    fn from(failure: Failure) -> Self {
        Refused::Failure(failure)
    }
}
