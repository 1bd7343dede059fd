//! The settings of the sandbox's authorization server, and what it has permitted.

use std::collections::HashMap;

use serde::Deserialize;

use crate::clock;

/// The behaviour of the authorization server.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Oauth {
    /// The id and the secret of the only client.
    pub client_id: String,
    pub client_secret: String,
    /// The user who gives the permission, unless the page is asked for another.
    pub user: String,
    /// The lifetime of access tokens in seconds.
    pub lifetime: u32,
    /// Whether a renewal replaces the refresh token. The use of a replaced one then revokes the grant.
    pub rotates: bool,
    /// Whether a replaced refresh token stays valid instead, as those of Microsoft do.
    pub keeps_replaced: bool,
    /// The seconds that a renewal takes.
    pub delay: f64,
    /// The status of every answer of the token server, if it is out of order.
    pub out_of_order: Option<u16>,
    /// Whether the answer has an identity token.
    pub identity: bool,
}

impl Default for Oauth {
    fn default() -> Oauth {
        Oauth {
            client_id: "sandbox".to_owned(),
            client_secret: "sandbox".to_owned(),
            user: "ann@example.com".to_owned(),
            lifetime: 3600,
            rotates: true,
            keeps_replaced: false,
            delay: 0.0,
            out_of_order: None,
            identity: false,
        }
    }
}

/// Codes, grants and tokens.
#[derive(Default)]
pub(crate) struct Grants {
    pub(crate) codes: HashMap<String, Code>,
    /// By refresh token, also replaced ones.
    pub(crate) refresh: HashMap<String, usize>,
    pub(crate) grants: Vec<Grant>,
    /// By access token: the grant, and when it expires in milliseconds.
    pub(crate) access: HashMap<String, (usize, i64)>,
    pub(crate) renewals: u32,
}

pub(crate) struct Code {
    pub(crate) redirect: String,
    pub(crate) challenge: String,
    pub(crate) user: String,
}

pub(crate) struct Grant {
    pub(crate) user: String,
    pub(crate) current: String,
    pub(crate) revoked: bool,
}

impl Grants {
    /// Revokes all grants of a user.
    pub(crate) fn revoke(&mut self, user: &str) {
        for grant in self.grants.iter_mut().filter(|grant| grant.user.eq_ignore_ascii_case(user)) {
            grant.revoked = true;
        }
        self.expire(user);
    }

    /// Forgets the refresh tokens of a user. Access tokens stay valid.
    pub(crate) fn refuse_renewals(&mut self, user: &str) {
        let Grants { refresh, grants, .. } = self;
        refresh.retain(|_, grant| !grants[*grant].user.eq_ignore_ascii_case(user));
    }

    /// Makes the access tokens of a user void. They can be renewed.
    pub(crate) fn expire(&mut self, user: &str) {
        let Grants { access, grants, .. } = self;
        access.retain(|_, (grant, _)| !grants[*grant].user.eq_ignore_ascii_case(user));
    }

    /// A refresh token for a user, as if the user had given the permission.
    pub(crate) fn permit(&mut self, user: &str, refresh: String) {
        self.refresh.insert(refresh.clone(), self.grants.len());
        self.grants.push(Grant { user: user.to_owned(), current: refresh, revoked: false });
    }

    /// The user of an access token that is valid now.
    pub(crate) fn user_of(&self, token: &str) -> Option<&str> {
        let (grant, expires) = self.access.get(token)?;
        let grant = &self.grants[*grant];
        (!grant.revoked && *expires > clock::now().as_millisecond()).then_some(grant.user.as_str())
    }
}
