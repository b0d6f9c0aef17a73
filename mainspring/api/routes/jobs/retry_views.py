"""How retry policies look in JSON, going in and coming out."""
