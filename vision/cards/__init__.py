"""Reading cards: a detector finds corner indices at low resolution, a reader reads each at native resolution."""
