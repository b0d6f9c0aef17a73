"""The parts that contracts are made of: operations, views and the types of fields."""
