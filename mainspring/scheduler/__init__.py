"""What a server does; duties are verb_object, things are nouns."""
