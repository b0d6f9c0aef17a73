"""Steps that wait: for a time, an event or an approval."""
