"""Circuit breakers: calls are counted, states decided and told, and operators obeyed."""
