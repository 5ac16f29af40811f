//! The committed JSON Schemas are those that `ragline schema` prints.

use ragline::suite::schema::{KINDS, schema};

/// Run with `UPDATE_SCHEMAS=1` to write them anew.
#[test]
fn the_committed_schemas_are_fresh() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("schemas");
    for kind in KINDS {
        let path = folder.join(format!("{kind}.schema.json"));
        let right = schema(kind).unwrap();
        if std::env::var_os("UPDATE_SCHEMAS").is_some() {
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(&path, &right).unwrap();
        }
        let committed = std::fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
        assert_eq!(committed, right, "schemas/{kind}.schema.json is old: run this test with UPDATE_SCHEMAS=1");
    }
    assert_eq!(schema("nonsense"), None);
}
