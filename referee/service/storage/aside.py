"""Keeping what was cut off or could not be read, in `aside/`, for people to look at.

Nothing kept there is ever replaced by something else, and nothing of the referee reads it.
"""

from pathlib import Path

from referee.service.storage.disk import Disk, write_durable
from referee.service.storage.layout import Layout


def keep(disk: Disk, layout: Layout, name: str, data: bytes) -> Path:
    """Keep bytes durably, and return where."""
    path = free_path(disk, layout, name, data)
    write_durable(disk, path, data)
    return path


def free_path(disk: Disk, layout: Layout, name: str, data: bytes) -> Path:
    """Return a path of that name where nothing stands, or the same bytes or their beginning."""
    number = 1
    path = layout.aside / name
    while disk.size(path) is not None and not data.startswith(disk.read(path)):
        number += 1
        path = layout.aside / f"{name}-{number}"
    return path
