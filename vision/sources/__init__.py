"""Pictures of the table as they come: from a camera, a stream, a film, a folder or one picture."""

from vision.sources.opening import SpecError, open_source
from vision.sources.pushed import CameraTaken, PushedSource
from vision.sources.source import Pacing, Source
from vision.sources.values import Frame, SourceError, SourceStatus

__all__ = [
    "CameraTaken",
    "Frame",
    "Pacing",
    "PushedSource",
    "Source",
    "SourceError",
    "SourceStatus",
    "SpecError",
    "open_source",
]
