"""The trained networks, their cards (what, how, how good) and the recipes that made them."""
