"""Validates SARIF files against the official schema."""
import json
import sys
import jsonschema

with open(sys.argv[1], encoding="utf-8-sig") as f:
    schema = json.load(f)
check = jsonschema.validators.validator_for(schema)(schema)
bad = 0
for path in sys.argv[2:]:
    with open(path, encoding="utf-8") as f:
        log = json.load(f)
    errors = list(check.iter_errors(log))
    bad += len(errors)
    run = log["runs"][0]
    print(f"{path}: {len(run['results'])} results, {len(run['tool']['driver']['rules'])} rules, "
          f"{len(errors)} errors of the schema {schema.get('$id', schema.get('id', ''))}")
    for e in errors[:5]:
        print("  ", list(e.absolute_path), e.message[:200])
sys.exit(bool(bad))
