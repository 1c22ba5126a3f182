"""Parsing and lookup."""

DEFAULT = "default"


class ConfigError(ValueError):
    """The text or a lookup is wrong."""


class Config:
    """Sections of keys and values."""

    def __init__(self, text=""):
        self._sections = {}
        section = DEFAULT
        for number, line in enumerate(text.splitlines(), 1):
            line = line.strip()
            if not line or line[0] in "#;":
                continue
            if line.startswith("[") and line.endswith("]"):
                section = line[1:-1].strip()
                self._sections.setdefault(section, {})
                continue
            key, equals, value = line.partition("=")
            if not equals or not key.strip():
                raise ConfigError(f"line {number}: not a setting: {line}")
            self.set(section, key.strip(), _unquote(value.strip()))

    def set(self, section, key, value):
        """Store a value as it is."""
        self._sections.setdefault(section, {})[key] = value

    def raw(self, section, key):
        """The stored text, looked up in the section and then in the default section."""
        for name in (section, DEFAULT):
            if key in self._sections.get(name, {}):
                return self._sections[name][key]
        raise ConfigError(f"no {key} in [{section}]")

    def get(self, section, key):
        """The value of a key."""
        return self.raw(section, key)

    def get_int(self, section, key):
        """The value of a key as a whole number."""
        value = self.get(section, key)
        try:
            return int(value)
        except ValueError:
            raise ConfigError(f"[{section}] {key} is not a whole number: {value}") from None

    def items(self, section):
        """The keys and values that the section itself holds, in order of first appearance."""
        if section not in self._sections:
            raise ConfigError(f"no section [{section}]")
        return [[key, self.raw(section, key)] for key in self._sections[section]]


def _unquote(value):
    if len(value) >= 2 and value[0] == value[-1] == '"':
        return value[1:-1]
    return value
