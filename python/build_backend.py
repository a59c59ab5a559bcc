"""setuptools, working in a temporary copy: it leaves folders behind where it works."""
import contextlib
import os
import shutil
import tempfile

from setuptools import build_meta
from setuptools.build_meta import (  # noqa: F401 (an editable installation is of this folder)
    build_editable, get_requires_for_build_editable, get_requires_for_build_sdist,
    get_requires_for_build_wheel, prepare_metadata_for_build_editable)


@contextlib.contextmanager
def _copy_of_this_folder():
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        copy = shutil.copytree(before, os.path.join(folder, "python"))
        os.chdir(copy)
        try:
            yield
        finally:
            os.chdir(before)


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    with _copy_of_this_folder():
        return build_meta.prepare_metadata_for_build_wheel(metadata_directory, config_settings)


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    with _copy_of_this_folder():
        return build_meta.build_wheel(wheel_directory, config_settings, metadata_directory)


def build_sdist(sdist_directory, config_settings=None):
    with _copy_of_this_folder():
        return build_meta.build_sdist(sdist_directory, config_settings)
