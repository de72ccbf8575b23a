"""The felt: what lies where on it, in millimetres, and where the camera sees it.

`load_layout` gives a `Layout` with its zones, `calibrate_markers` or `calibrate_corners` a `Calibration` between its
millimetres and a camera's pixels, and `CameraWatch` says when the camera was moved. Where (0, 0) is and which way x and
y go is drawn in `vision.felt.layout`. Nothing here knows a game.
"""

from vision.felt.calibration import Calibration, CalibrationError, ForeignMarkersError, MislaidMarkersError
from vision.felt.layout import Handle, Kind, Layout, Marker, Zone, as_data
from vision.felt.loader import LayoutError, layout_from_data, layout_names, load_layout
from vision.felt.markers import SeenMarker, find_markers
from vision.felt.moved import CameraWatch, Stance
from vision.felt.shapes import Circle, Polygon, Shape
from vision.felt.solving import calibrate_corners, calibrate_markers, calibrate_points, calibrate_seen

__all__ = [
    "Calibration",
    "CalibrationError",
    "CameraWatch",
    "Circle",
    "ForeignMarkersError",
    "Handle",
    "Kind",
    "Layout",
    "LayoutError",
    "Marker",
    "MislaidMarkersError",
    "Polygon",
    "SeenMarker",
    "Shape",
    "Stance",
    "Zone",
    "as_data",
    "calibrate_corners",
    "calibrate_markers",
    "calibrate_points",
    "calibrate_seen",
    "find_markers",
    "layout_from_data",
    "layout_names",
    "load_layout",
]
