"""What surrounds every view: routes, server, language, security headers, assets and template filters."""
