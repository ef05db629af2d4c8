//! Prepares tauri's generated context. It does not build the UI: `cargo xtask` does.

fn main() {
    let attributes =
        tauri_build::Attributes::new().capabilities_path_pattern("./src-tauri/capabilities/**/*");
    // The built UI goes into the binary: a newer one makes a newer binary.
    println!("cargo::rerun-if-changed=ui/dist");
    if let Err(error) = std::fs::create_dir_all("ui/dist")
        .map_err(Into::into)
        .and_then(|()| tauri_build::try_build(attributes))
    {
        println!("cargo::error={error:#}");
        std::process::exit(1);
    }
}
