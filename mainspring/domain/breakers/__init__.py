"""Circuit breakers: the guards of downstream resources, shared by the whole cluster."""
