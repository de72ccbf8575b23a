"""How the networks were made: run again with ``python -m models.recipes`` (needs the ``train`` extra)."""
