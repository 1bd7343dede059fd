//! Packs the files of Swagger UI that the API's reference shows.

use flate2::Compression;
use flate2::write::GzEncoder;
use std::error::Error;
use std::io::{self, Cursor};
use std::path::Path;
use std::{env, fs};
use zip::ZipArchive;

const FILES: [&str; 3] = ["swagger-ui.css", "swagger-ui-bundle.js", "favicon-32x32.png"];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    let folder = Path::new(&env::var("OUT_DIR")?).join("docs");
    fs::create_dir_all(&folder)?;
    let mut archive = ZipArchive::new(Cursor::new(utoipa_swagger_ui_vendored::SWAGGER_UI_VENDORED))?;
    for name in FILES {
        let ends = format!("/dist/{name}");
        let place = (0..archive.len())
            .find(|at| matches!(archive.name_for_index(*at), Some(Ok(path)) if path.ends_with(&ends)));
        let mut file = archive.by_index(place.ok_or_else(|| format!("Swagger UI has no {name}"))?)?;
        let mut packed = GzEncoder::new(fs::File::create(folder.join(format!("{name}.gz")))?, Compression::best());
        io::copy(&mut file, &mut packed)?;
        packed.finish()?;
    }
    Ok(())
}
