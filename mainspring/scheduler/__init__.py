"""A server's duties; duties are verb_object, things are nouns."""
