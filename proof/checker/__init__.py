"""One checker for simulation and chaos: four channels in, a verdict with witnesses out."""

from proof.checker.check import CHECKS, check
from proof.checker.verdict import Verdict, Violation

__all__ = ["CHECKS", "Verdict", "Violation", "check"]
