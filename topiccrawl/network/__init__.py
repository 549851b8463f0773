"""The way to the network: the download handlers, and which addresses they contact."""
