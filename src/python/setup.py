"""The module is compiled already; the wheel says for which Python and machine."""
from setuptools import Distribution, setup


class CompiledDistribution(Distribution):
    def has_ext_modules(self) -> bool:
        return True


setup(distclass=CompiledDistribution)
