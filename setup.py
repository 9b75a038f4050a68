"""The metadata live in settings.ini: edit there, not here."""

from configparser import ConfigParser
from pathlib import Path

from setuptools import find_packages, setup

HERE = Path(__file__).parent
parser = ConfigParser(delimiters=["="])
parser.read(HERE / "settings.ini", encoding="utf-8")
settings = parser["DEFAULT"]
package = settings["lib_path"]

setup(
    name=settings["lib_name"],
    version=settings["version"],
    description=settings["description"],
    author=settings["author"],
    author_email=settings["author_email"],
    license="Apache-2.0",
    keywords=settings["keywords"].split(),
    long_description=(HERE / "README.md").read_text("utf-8"),
    long_description_content_type="text/markdown",
    packages=find_packages(include=[package, f"{package}.*"]),
    package_data={package: ["**/*.js", "**/*.css", "data/*.json", "py.typed"]},
    include_package_data=False,
    install_requires=settings["requirements"].split(),
    extras_require={
        "charts": settings["charts_requirements"].split(),
        "dev": settings["dev_requirements"].split(),
    },
    python_requires=f">={settings['min_python']}",
    classifiers=["Programming Language :: Python :: 3", "Framework :: Jupyter"],
)
