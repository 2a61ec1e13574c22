"""Interfaces: command line, service, inspector, client, integrations."""
