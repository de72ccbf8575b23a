"""Composes camera, reader, table and display into one server. It holds no rules."""
