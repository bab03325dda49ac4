"""The version, for the package's metadata and the User-Agent header."""

VERSION = "0.2.0"
