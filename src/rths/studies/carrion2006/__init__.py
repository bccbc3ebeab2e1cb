"""Carrion, Spencer 2006: model-based response prediction."""
