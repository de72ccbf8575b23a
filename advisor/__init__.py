"""Rules, odds, table state, the service and the side display."""
