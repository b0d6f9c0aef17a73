"""Properties are about values, not about how fast a busy machine finds them."""

from hypothesis import settings

settings.register_profile("mainspring", deadline=None)
settings.load_profile("mainspring")
