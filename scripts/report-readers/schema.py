"""Validates the first file against the schema and says where the second, which is not meant for it, is refused."""
import sys
from lxml import etree

schema = etree.XMLSchema(etree.parse(sys.argv[1]))
strict, usual = etree.parse(sys.argv[2]), etree.parse(sys.argv[3])
ok = schema.validate(strict)
print(f"{sys.argv[2]}: {'valid' if ok else schema.error_log.last_error}")
print(f"{sys.argv[3]}: {'valid' if schema.validate(usual) else 'refused: ' + schema.error_log.last_error.message}")
sys.exit(not ok)
