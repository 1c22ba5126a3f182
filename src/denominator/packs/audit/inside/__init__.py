"""Programs that an audit shows to a sandbox as files; nothing here is imported outside one."""
