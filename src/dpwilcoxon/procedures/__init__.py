"""Tests: score, sensitivity, noise law and null, one file each."""
