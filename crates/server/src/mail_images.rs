//! Images of mails for the dashboard, a few mails at a time.

use crate::App;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use connect::images;
use resource::Error;
use std::time::Duration;
use store::Uuid;

/// Mails whose images are loaded at a time: of all workspaces, and of one. Each takes ten seconds and 12 MB at most.
pub(crate) const AT_ONCE: usize = 8;
pub(crate) const OF_ONE: usize = 2;
/// How long a request waits for its turn.
const PATIENCE: Duration = Duration::from_secs(30);

/// The images of a mail as `data:` URLs, which its frame can show without loading anything itself.
pub(crate) async fn load(app: &App, workspace: Uuid, html: &str) -> Result<Vec<(String, Option<String>)>, Error> {
    let waited = tokio::time::timeout(PATIENCE, app.mail_images.take(workspace)).await;
    let Ok(Some(_share)) = waited else {
        return Err(Error::Unavailable("the images of other mails of this workspace are still being loaded".into()));
    };
    let url = |image: images::Image| format!("data:{};base64,{}", image.content_type, STANDARD.encode(image.content));
    let loaded = images::load(&app.guard.for_untrusted(), html).await;
    Ok(loaded.into_iter().map(|(address, image)| (address, image.map(url))).collect())
}
