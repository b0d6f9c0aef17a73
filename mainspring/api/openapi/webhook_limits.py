"""Limits of the fields of webhook and event triggers for the document; the domain checks them."""

from typing import Any

from mainspring.domain.webhooks.call import HEADER, HEADER_NAME, MAPPING_MAX, TOLERANCE_MAX
from mainspring.domain.webhooks.event_match import CHOICES_MAX, EVENT_TYPE, PLACES_MAX
from mainspring.domain.webhooks.json_path import PLACE_MAX

PLACE = r"""\$(\.[^\s.\[\]'"$]+|\[[0-9]{1,6}\]|\['[^']+'\]|\["[^"]+"\])*"""
NAMED_HEADER = f"{HEADER}{HEADER_NAME.pattern}"
ORDERED = {"type": ["string", "number"]}

CONDITION: dict[str, Any] = {
    "anyOf": [
        {"type": ["string", "number", "boolean", "null"]},
        {"type": "array", "items": {}},
        {
            "type": "object",
            "minProperties": 1,
            "additionalProperties": False,
            "properties": {
                "eq": {},
                "in": {"type": "array", "items": {}, "minItems": 1, "maxItems": CHOICES_MAX},
                "prefix": {"type": "string"},
                "exists": {"type": "boolean"},
                **dict.fromkeys(("gt", "ge", "lt", "le"), ORDERED),
            },
        },
    ]
}


def mapping(source: str) -> dict[str, Any]:
    """Arguments by where they are taken from."""
    taken = {"type": "string", "pattern": f"^({source})$", "maxLength": PLACE_MAX}
    return {"maxProperties": MAPPING_MAX, "additionalProperties": taken}


CALLED: dict[str, dict[str, dict[str, Any]]] = {
    "Webhook": {
        "signature_header": {"pattern": f"^{HEADER_NAME.pattern}$"},
        "timestamp_header": {"pattern": f"^({HEADER_NAME.pattern})?$"},
        "tolerance": {"minimum": 1, "maximum": TOLERANCE_MAX},
        "mapping": mapping(f"{NAMED_HEADER}|{PLACE}"),
        "key": {"pattern": f"^({NAMED_HEADER}|{PLACE})?$", "maxLength": PLACE_MAX},
    },
    "Event": {
        "type": {"pattern": f"^{EVENT_TYPE.pattern}$", "maxLength": 200},
        "filter": {
            "maxProperties": PLACES_MAX,
            "propertyNames": {"pattern": f"^{PLACE}$", "maxLength": PLACE_MAX},
            "additionalProperties": CONDITION,
        },
        "mapping": mapping(PLACE),
    },
}
