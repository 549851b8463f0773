"""What surrounds every view: language, security headers, assets and template filters."""
