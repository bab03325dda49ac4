"""The version, for the package's metadata and the User-Agent header."""

VERSION = "1.0.0"
